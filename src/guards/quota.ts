import { coalesce } from '../store/coalesce.ts'
import { takeQuota } from '../store/quota.ts'
import type { Db } from '../store/sql.ts'
import type { Allowance } from './allowance.ts'
import type { KeyHolder } from './authentication.ts'

/** Takes one request from the account's UTC day, exactly, and answers what is left. */
export type TakeQuota = (account: KeyHolder, at: Date) => Promise<Allowance>

type Left = Pick<Allowance, 'granted' | 'limit' | 'remaining'>

const DAY_SECONDS = 86_400

/** The requests of an account that wait in the same moment share one statement. */
export function createQuota(db: Db, perDay: { free: number; pro: number }): TakeQuota {
  const busy = new Map<string, { taking: number; take: (limit: number) => Promise<Left> }>()

  return async (account, at) => {
    const day = at.toISOString().slice(0, 10)
    const accountDay = `${account.id} ${day}`
    const entry = busy.get(accountDay) ?? { taking: 0, take: takeTogether(db, account.id, day) }
    busy.set(accountDay, entry)
    entry.taking += 1
    try {
      const left = await entry.take(account.requestsPerDay ?? perDay[account.tier])
      const resetSeconds = DAY_SECONDS - (Math.floor(at.getTime() / 1000) % DAY_SECONDS)
      return { policy: 'day', windowSeconds: DAY_SECONDS, resetSeconds, ...left }
    } finally {
      entry.taking -= 1
      if (entry.taking === 0) busy.delete(accountDay)
    }
  }
}

/** Whoever came first is granted first; the limit of the latest counts, as it was read last. */
function takeTogether(db: Db, accountId: string, day: string) {
  return coalesce<number, Left>(async (limits) => {
    const limit = limits.at(-1) ?? 0
    const request = { accountId, day, wanted: limits.length, limit }
    const { granted, used } = await takeQuota(db, request)
    return limits.map((_, place) => {
      const usedThen = used - granted + place + 1
      return { granted: place < granted, limit, remaining: Math.max(0, limit - usedThen) }
    })
  }, 1)
}
