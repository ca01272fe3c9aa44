import { selectOptionalAccount } from '../accounts/store/accounts.ts'
import type { Limits } from '../bookings/rules/limits.ts'
import { termsOf } from '../compose/terms.ts'
import { byCommand } from '../contract/audit.ts'
import { changeLimitsOf } from '../operators/steps/change-limits.ts'
import { type AccountLimits, readLimits } from '../operators/steps/read-limits.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { transaction } from '../platform/database/sql.ts'
import { idFrom } from './ids.ts'
import { defineOperatorCommand } from './operator-program.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

export const limits = defineOperatorCommand({
  words: 'limits',
  summary: 'Show what an account may book at a time, or change it.',
  details:
    'Without an option, the limits stay. `none` lifts one; without a limit per venue and day, ' +
    'giving slots back is not slowed either.',
  args: { account: { about: 'Id of the account, as `list` shows it' } },
  options: {
    live: { kind: 'text', value: 'N', about: 'Live bookings, holds and watches; or none' },
    'per-venue-day': { kind: 'text', value: 'N', about: 'Of these at a venue and day; or none' },
    usual: { kind: 'flag', about: 'Give the account the usual limits again' },
  },
  examples: [`limits ${exampleId}`, `limits ${exampleId} --live 500 --per-venue-day none`],
  async run({ args, options: { live, usual, 'per-venue-day': perVenueDay }, onDatabase, at }) {
    const accountId = idFrom(args.account, 'limits')
    const changes = {
      ...(live !== undefined && { live: limitFrom(live, '--live') }),
      ...(perVenueDay !== undefined && { perVenueDay: limitFrom(perVenueDay, '--per-venue-day') }),
    }
    const isChange = Object.keys(changes).length > 0
    if (usual && isChange) throw new UsageError('--usual takes no limits beside it.')
    return onDatabase(async (db, config) => {
      const account = await selectOptionalAccount(db, accountId)
      if (!account) throw new Error(`There is no account ${accountId}.`)
      const terms = termsOf(config).limits
      const to = usual ? 'usual' : changes
      const act = { by: byCommand(accountId, at) }
      if (usual || isChange) {
        await transaction(db, (tx) => changeLimitsOf(tx, act, to, terms))
      }
      const now = await readLimits(db, accountId, terms)
      return `${account.name} (${account.tier})\n${shown(now)}`
    })
  },
})

function shown({ has, isOwn, limits }: AccountLimits): string {
  const busiest = has.venue === null ? '' : ` (${has.venue}, ${has.day})`
  return plainTable(
    ['', 'HAS', 'MAY HAVE'],
    [
      ['live bookings, holds and watches', String(has.live), word(limits.live)],
      ['at one venue and day', `${has.busiest}${busiest}`, word(limits.perVenueDay)],
      ['', '', isOwn ? 'set by the operator' : `usual, after ${has.completed} completed`],
    ],
  )
}

const word = (limit: Limits['live']) => (limit === null ? 'any number' : String(limit))

function limitFrom(text: string, option: string): number | null {
  if (text === 'none') return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes a number or none, not ${text}.`)
}
