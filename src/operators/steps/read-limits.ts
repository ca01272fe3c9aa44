import { grown, type Limits } from '../../bookings/rules/limits.ts'
import { selectLimits, selectWhatItHas } from '../../bookings/store/limits.ts'
import type { Db } from '../../platform/database/sql.ts'

/** An account's current use and limits. `isOwn`: an operator has set the limits. */
export async function readLimits(db: Db, accountId: string, usual: Limits) {
  const own = await selectLimits(db, accountId)
  const has = await selectWhatItHas(db, accountId)
  return { has, isOwn: own !== undefined, limits: own ?? grown(usual, has.completed) }
}
