import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { countAttempt } from '../../platform/database/throttle.ts'
import type { ThrottleLimit } from '../rules/sign-in.ts'

/** The subject that a limit counts for `who`; email addresses are case-insensitive. */
export const throttleKey = (limit: ThrottleLimit, who: string): string =>
  `${limit.name}:${who.toLowerCase()}`

/**
 * Counts one attempt; throws `too_many_tries` with `retry_after` in seconds when it is over the
 * limit.
 */
export async function throttle(db: Db, limit: ThrottleLimit, who: string, at: Date): Promise<void> {
  const { tries, ends_at } = await countAttempt(
    db,
    throttleKey(limit, who),
    limit.windowSeconds,
    at,
  )
  if (tries <= limit.most) return
  const seconds = Math.max(1, Math.ceil((ends_at.getTime() - at.getTime()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const unit = minutes === 1 ? 'minute' : 'minutes'
  const wait = `That was tried too often; it can be tried again in ${minutes} ${unit}.`
  throw refuse('too_many_tries', wait, { retry_after: seconds })
}
