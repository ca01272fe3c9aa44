import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import { parseSigningSecret } from '../../../src/platform/http/signature.ts'
import { eventFilters } from '../../../src/webhooks/rules/event-types.ts'
import { defineCommand } from '../command.ts'
import { eventLine, listenTo } from '../events/listen-to.ts'
import { jsonText } from '../screen/json-text.ts'

export const listen = defineCommand({
  words: 'listen',
  summary: 'Print your account’s events as they happen, and forward them to your program.',
  details:
    'Forwarded events are signed like webhooks and not retried. Each event counts as one ' +
    'daily request, as does each minute without one; it stops while 20 requests are left. ' +
    'With --json each event is one line. Ctrl-C stops it.',
  options: {
    forward: { kind: 'text', value: 'URL', about: 'Post each event to this URL' },
    types: { kind: 'list', value: 'TYPES', about: 'Only these types', choices: eventFilters },
    after: { kind: 'number', value: 'N', about: 'Start after event number N; 0 for all events' },
    secret: { kind: 'text', value: 'SECRET', about: 'Sign with this whsec_… instead of a new one' },
  },
  examples: [
    'listen --forward http://localhost:4000/hooks',
    'listen --types booking.*,fee.accrued --after 0 --json',
  ],
  async run({ args: _, options, terminal, isJson, ...call }) {
    const { forward, types, after, secret } = options
    if (forward !== undefined && !/^https?:\/\/./.test(forward)) {
      throw new UsageError('--forward needs a URL such as http://localhost:4000/hooks.')
    }
    if (secret !== undefined && !parseSigningSecret(secret)) {
      throw new UsageError('--secret needs whsec_ and 24 to 64 bytes in base64.')
    }
    const followed = { ...(await call.access()), types: types?.join(','), trouble: terminal.say }
    const print = (text: string) => void terminal.stdout.write(`${text}\n`)
    return listenTo(
      followed,
      { forward, after, secret },
      {
        begins: isJson ? terminal.say : print,
        came: (event, forwarded) =>
          print(isJson ? jsonText({ ...event, forwarded }) : eventLine(event, forwarded)),
      },
    )
  },
})
