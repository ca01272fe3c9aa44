import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { countTry } from '../../platform/database/tries.ts'
import type { TryLimit } from '../rules/sign-in.ts'

/** The name under which the tries of a limit are counted for somebody; addresses count alike however they are capitalised. */
export const triesOf = (limit: TryLimit, who: string): string =>
  `${limit.name}:${who.toLowerCase()}`

/** Counts one try; throws `too_many_tries`, with the seconds to wait as `retry_after`, for one too many. */
export async function limitTries(db: Db, limit: TryLimit, who: string, at: Date): Promise<void> {
  const { tries, ends_at } = await countTry(db, triesOf(limit, who), limit.windowSeconds, at)
  if (tries <= limit.most) return
  const seconds = Math.max(1, Math.ceil((ends_at.getTime() - at.getTime()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = `That was tried too often; it can be tried again in ${minutes} minute${minutes === 1 ? '' : 's'}.`
  throw refuse('too_many_tries', wait, { retry_after: seconds })
}
