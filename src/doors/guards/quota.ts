import { type QuotaGrant, takeQuota } from '../../accounts/store/quota.ts'
import { limitedAs } from '../../base/throttle.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Allowance } from './allowance.ts'
import type { KeyHolder } from './authentication.ts'

/** Requests per UTC day for accounts without a limit of their own. */
export type PerDay = Record<KeyHolder['tier'] | 'test', number>

/** Takes exactly one request from the live account's quota for a UTC day, or its sandboxes'. */
export type TakeQuota = (account: KeyHolder, at: Date) => Promise<Allowance>

const DAY_SECONDS = 86_400

/** Concurrent requests of an account share a statement, which uses the latest limit read. */
export function createQuota(db: Db, perDay: PerDay): TakeQuota {
  const take = coalesceBy<{ account: KeyHolder; at: Date }, Allowance>(
    ({ account, at }) =>
      `${limitedAs(account)} ${account.mode} ${limitOf(account, perDay)} ${dayOf(at)}`,
    async (requests) => {
      const latest = requests.at(-1)
      if (!latest) return []
      const { account, at } = latest
      const limit = limitOf(account, perDay)
      const { mode } = account
      const of = { accountId: limitedAs(account), mode, day: dayOf(at) }
      const request = { ...of, count: requests.length, limit }
      return shareOut(await takeQuota(db, request), limit, requests)
    },
  )
  return (account, at) => take({ account, at })
}

/** The UTC date for counting requests, YYYY-MM-DD. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const limitOf = (
  { requests_per_day, tier, mode }: Pick<KeyHolder, 'requests_per_day' | 'tier' | 'mode'>,
  perDay: PerDay,
): number => requests_per_day ?? perDay[mode === 'test' ? 'test' : tier]

/** Distributes the granted requests among concurrent calls of one day, earliest first. */
export const shareOut = (
  { granted, used }: QuotaGrant,
  limit: number,
  requests: readonly { at: Date }[],
): Allowance[] =>
  requests.map(({ at }, index) => ({
    policy: 'day',
    granted: index < granted,
    limit,
    windowSeconds: DAY_SECONDS,
    remaining: Math.max(0, limit - (used - granted + index + 1)),
    resetSeconds: DAY_SECONDS - (Math.floor(at.getTime() / 1000) % DAY_SECONDS),
  }))
