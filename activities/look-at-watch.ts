import type { WatchState } from '../src/model/watch.ts'
import type { Pool } from '../src/store/sql.ts'
import { expireWatch, selectOptionalWatchState } from '../src/store/watches.ts'

/** Where a watch stands, once it has been ended if its time is over. */
export async function lookAtWatch(db: Pool, watchId: string, at: Date): Promise<WatchState> {
  await expireWatch(db, watchId, at)
  const state = await selectOptionalWatchState(db, watchId)
  if (!state) throw new Error(`watch ${watchId} does not exist`)
  return state
}
