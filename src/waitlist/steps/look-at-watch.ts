import type { Pool } from '../../platform/database/sql.ts'
import type { WatchState } from '../rules/watch.ts'
import { expireWatch, selectOptionalWatchState } from '../store/watches.ts'

/** Where a watch stands, once it has been ended if its time is over. */
export async function lookAtWatch(db: Pool, watchId: string, at: Date): Promise<WatchState> {
  await expireWatch(db, watchId, at)
  const state = await selectOptionalWatchState(db, watchId)
  if (!state) throw new Error(`watch ${watchId} does not exist`)
  return state
}
