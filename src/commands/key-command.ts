import { parseArgs } from 'node:util'
import { z } from 'zod'
import { scopeList } from '../accounts/schema/keys.ts'
import type { AccountTier } from '../accounts/store/accounts.ts'
import { scopes as allScopes, defaultScopes, type Scope } from '../contract/rules/scopes.ts'
import { UsageError } from './run-command.ts'

export type KeyCommand =
  | { verb: 'create'; name: string; tier: AccountTier; scopes: readonly Scope[] }
  | { verb: 'add'; name: string; accountId: string; scopes: readonly Scope[] }
  | { verb: 'list' }
  | { verb: 'revoke'; keyId: string }
  | { verb: 'tier'; accountId: string; tier: AccountTier }
  | { verb: 'operator'; email: string; isOperator: boolean }
  | { verb: 'rewrap' }

/** What `npm run keys -- …` asks for; throws a usage error before any database is looked for. */
export function parseKeyCommand(args: string[]): KeyCommand {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tier: { type: 'string' },
      name: { type: 'string' },
      account: { type: 'string' },
      scopes: { type: 'string' },
      revoke: { type: 'boolean' },
    },
  })
  const [verb, ...rest] = positionals
  if (values.revoke && verb !== 'operator') throw new UsageError('--revoke belongs to operator.')
  switch (verb) {
    case 'create':
      expectNone(rest)
      return createCommand(values)
    case 'list':
    case 'rewrap':
      expectNone(rest)
      return { verb }
    case 'revoke':
      expectNone(rest.slice(1))
      return { verb, keyId: idFrom(rest[0], 'revoke needs the id of a key, as `list` shows it') }
    case 'tier':
      expectNone(rest.slice(2))
      return {
        verb,
        accountId: idFrom(rest[0], 'tier needs the id of an account, as `list` shows it'),
        tier: tierFrom(rest[1], 'tier'),
      }
    case 'operator':
      expectNone(rest.slice(1))
      if (!rest[0]) throw new UsageError('operator needs the address that somebody signs in with.')
      return { verb, email: rest[0], isOperator: !values.revoke }
    default:
      throw new UsageError(verb ? `There is no command ${verb}.` : 'Which command?')
  }
}

function createCommand(options: {
  tier?: string | undefined
  name?: string | undefined
  account?: string | undefined
  scopes?: string | undefined
}): KeyCommand {
  const { tier, name, account } = options
  if (!name || name.length > 100) throw new UsageError('--name needs 1 to 100 characters.')
  const scopes = scopesFrom(options.scopes)
  if (account === undefined) return { verb: 'create', name, tier: tierFrom(tier, '--tier'), scopes }
  if (tier !== undefined) {
    throw new UsageError('With --account, leave --tier out: the tier is that of the account.')
  }
  const accountId = idFrom(account, '--account needs the id of an account, as `list` shows it')
  return { verb: 'add', name, accountId, scopes }
}

function scopesFrom(text: string | undefined): readonly Scope[] {
  if (text === undefined) return defaultScopes
  const given = scopeList.safeParse(text.split(',').filter(Boolean))
  if (given.success) return given.data
  throw new UsageError(`--scopes takes some of ${allScopes.join(',')}, with commas between them.`)
}

function expectNone(rest: string[]): void {
  if (rest.length > 0) throw new UsageError(`Too much was said: ${rest.join(' ')}`)
}

function idFrom(text: string | undefined, otherwise: string): string {
  const id = z.uuid().safeParse(text)
  if (id.success) return id.data
  throw new UsageError(`${otherwise}.`)
}

function tierFrom(text: string | undefined, what: string): AccountTier {
  if (text === 'free' || text === 'pro') return text
  throw new UsageError(`${what} must be free or pro${text ? `, not ${text}` : ''}.`)
}
