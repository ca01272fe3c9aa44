import type { Pool } from '../../platform/database/sql.ts'
import type { EntryState } from '../rules/entry.ts'
import { expireEntry, selectOptionalEntryState } from '../store/entries.ts'

/** Where a watch stands, once it has been ended if its time is over. */
export async function readEntry(db: Pool, watchId: string, at: Date): Promise<EntryState> {
  await expireEntry(db, watchId, at)
  const state = await selectOptionalEntryState(db, watchId)
  if (!state) throw new Error(`watch ${watchId} does not exist`)
  return state
}
