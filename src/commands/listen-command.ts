import { parseArgs } from 'node:util'
import { apiKeyPattern } from '../contract/rules/ids.ts'
import { parseSigningSecret } from '../platform/http/signing-secret.ts'
import { eventFilters } from '../webhooks/rules/webhooks.ts'
import { UsageError } from './run-command.ts'

export type ListenCommand = {
  key: string
  /** of the network; undefined for the one of this machine */
  url: string | undefined
  /** where events are posted to; undefined to print them only */
  forward: string | undefined
  /** filters, with commas between them */
  types: string | undefined
  /** the last number that is known already; undefined to begin with what happens from now on */
  after: number | undefined
  /** what to sign with; undefined for a new one */
  secret: string | undefined
}

/** What `npm run listen -- …` asks for; throws a usage error before anything is sent. */
export function parseListenCommand(args: string[]): ListenCommand {
  const { values } = parseArgs({
    args,
    options: {
      key: { type: 'string' },
      url: { type: 'string' },
      forward: { type: 'string' },
      types: { type: 'string' },
      after: { type: 'string' },
      secret: { type: 'string' },
    },
  })
  const { key, url, forward, types, after, secret } = values
  if (!key || !apiKeyPattern.test(key)) {
    throw new UsageError('--key needs an API key: `npm run keys -- create` makes one.')
  }
  if (types?.split(',').some((type) => !eventFilters.includes(type))) {
    throw new UsageError(`--types takes some of ${eventFilters.join(', ')}, with commas between.`)
  }
  if (after !== undefined && !/^\d{1,15}$/.test(after)) {
    throw new UsageError('--after needs the number of an event.')
  }
  if (secret !== undefined && !parseSigningSecret(secret)) {
    throw new UsageError('--secret needs whsec_ and 24 to 64 bytes in base64.')
  }
  return {
    key,
    url: url === undefined ? undefined : webAddress('--url', url).replace(/\/+$/, ''),
    forward: forward === undefined ? undefined : webAddress('--forward', forward),
    types,
    after: after === undefined ? undefined : Number(after),
    secret,
  }
}

function webAddress(option: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new UsageError(`${option} needs an address as in http://localhost:4000/hooks.`)
}
