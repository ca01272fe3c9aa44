import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { countAttempt } from '../../platform/database/throttle.ts'
import type { ThrottleLimit } from '../rules/sign-in.ts'

/** The subject that a limit counts for `who`; email addresses are case-insensitive. */
export const throttleKey = (limit: ThrottleLimit, who: string) =>
  `${limit.name}:${who.toLowerCase()}`

/** Counts one attempt; over the limit throws `too_many_tries` with `retry_after` in seconds. */
export async function throttle(db: Db, limit: ThrottleLimit, who: string, at: Date) {
  const key = throttleKey(limit, who)
  const { tries, ends_at } = await countAttempt(db, key, limit.windowSeconds, at)
  if (tries <= limit.most) return
  const seconds = Math.max(1, Math.ceil((ends_at.getTime() - at.getTime()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = `Too many attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`
  throw refuse('too_many_tries', wait, { retry_after: seconds })
}
