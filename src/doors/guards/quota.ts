import { type Taken, takeQuota } from '../../accounts/store/quota.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Allowance } from './allowance.ts'
import type { KeyHolder } from './authentication.ts'

/** Requests a UTC day of accounts without a limit of their own. */
export type PerDay = Record<KeyHolder['tier'], number>

/** Takes one request from the account's UTC day, exactly, and answers what is left. */
export type TakeQuota = (account: KeyHolder, at: Date) => Promise<Allowance>

const DAY_SECONDS = 86_400

/** The requests of an account that wait in the same moment share one statement. */
export function createQuota(db: Db, perDay: PerDay): TakeQuota {
  const take = coalesceBy<{ account: KeyHolder; at: Date }, Allowance>(
    ({ account, at }) => `${account.id} ${dayOf(at)}`,
    (asked) => takeTogether(db, perDay, asked),
  )
  return (account, at) => take({ account, at })
}

/** The limit of the latest counts, as it was read last. */
async function takeTogether(
  db: Db,
  perDay: PerDay,
  asked: readonly { account: KeyHolder; at: Date }[],
): Promise<Allowance[]> {
  const [latest] = asked.slice(-1)
  if (!latest) return []
  const { account, at } = latest
  const limit = limitOf(account, perDay)
  const request = { accountId: account.id, day: dayOf(at), wanted: asked.length, limit }
  return shareOut(await takeQuota(db, request), limit, asked)
}

/** The UTC date whose requests count, YYYY-MM-DD. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const limitOf = ({ requestsPerDay, tier }: KeyHolder, perDay: PerDay): number =>
  requestsPerDay ?? perDay[tier]

/** What requests of one day that took together are left with: whoever came first is granted first. */
export const shareOut = (
  { granted, used }: Taken,
  limit: number,
  asked: readonly { at: Date }[],
): Allowance[] =>
  asked.map(({ at }, place) => ({
    policy: 'day',
    granted: place < granted,
    limit,
    windowSeconds: DAY_SECONDS,
    remaining: Math.max(0, limit - (used - granted + place + 1)),
    resetSeconds: DAY_SECONDS - (Math.floor(at.getTime() / 1000) % DAY_SECONDS),
  }))
