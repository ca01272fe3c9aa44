import { createHash } from 'node:crypto'
import { z } from 'zod'
import { counted } from '../../base/counted.ts'
import { refuse } from '../../base/errors.ts'
import type { CallerThrottle, ThrottleLimit } from '../../base/throttle.ts'
import { type Limited, limitedAs } from '../../base/throttle.ts'
import { rowsBefore } from './continue-pass.ts'
import { type Db, query } from './sql.ts'

const triesRow = z.object({ tries: z.int(), ends_at: z.date() })

/** Counts an attempt; returns the count in the current window, which the first attempt opened. */
export const countAttempt = (db: Db, subject: string, windowSeconds: number, at: Date) =>
  query.row(db, triesRow)`
    insert into throttle_window as w (subject, tries, ends_at)
    values (${hashOf(subject)}, 1, ${at}::timestamptz + ${windowSeconds} * interval '1 second')
    on conflict (subject) do update set
      tries = case when w.ends_at <= ${at} then 1 else w.tries + 1 end,
      ends_at = case when w.ends_at <= ${at} then excluded.ends_at else w.ends_at end
    returning tries, ends_at`

/** The key under which a limit counts `who`; email addresses are case-insensitive. */
export const throttleKey = (limit: ThrottleLimit, who: string) =>
  `${limit.name}:${who.toLowerCase()}`

/** Counts an attempt; throws `too_many_tries` above the limit, with `retry_after` in seconds. */
export async function throttle(db: Db, limit: ThrottleLimit, who: string, at: Date) {
  const key = throttleKey(limit, who)
  const { tries, ends_at } = await countAttempt(db, key, limit.windowSeconds, at)
  if (tries <= limit.most) return
  const seconds = Math.max(1, Math.ceil((ends_at.getTime() - at.getTime()) / 1000))
  const [minutes, hours] = [60, 3_600].map((unit) => Math.ceil(seconds / unit)) as [number, number]
  const wait = minutes > 120 ? counted(hours, 'hour') : counted(minutes, 'minute')
  throw refuse('too_many_tries', `Too many attempts. Try again in ${wait}.`, {
    retry_after: seconds,
  })
}

/**
 * Counts an action for an account and for its caller's address; throws like `throttle`. Always in
 * real time, because accounts with test clocks share addresses with other accounts.
 */
export async function throttleCaller(
  db: Db,
  { byAccount, byAddress }: CallerThrottle,
  { account, address }: { account: Limited | null; address: string },
  at = new Date(),
) {
  if (account) await throttle(db, byAccount, limitedAs(account), at)
  await throttle(db, byAddress, address, at)
}

export const clearThrottle = (db: Db, subject: string) =>
  query.execute(db)`delete from throttle_window where subject = ${hashOf(subject)}`

/** Windows that have ended. */
export const endedThrottles = (at: Date) => rowsBefore('throttle_window', 'ends_at', at, 'subject')

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()
