import { DAY_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import {
  deleteChallenges,
  deleteEndpoints,
  deleteReplays,
  deleteSettledDeliveries,
  recordErasure,
} from '../store/delivery-erasure.ts'
import { deleteEndpointCommands } from '../store/endpoint-commands.ts'

/** Rows per statement, so that none holds locks for long. */
const STEP = 1_000

type Erased = { deliveries: number; challenges: number; replays: number; endpoints: number }

/** Erases deliveries settled over `days` ago and what only they used. `hasMore`: call again. */
export async function eraseDeliveries(
  db: Pool,
  days: number,
  at: Date,
): Promise<Erased & { hasMore: boolean }> {
  const before = new Date(at.getTime() - days * DAY_MS)
  await recordErasure(db, before)
  const counts = {
    deliveries: await deleteSettledDeliveries(db, before, STEP),
    challenges: await deleteChallenges(db, before, STEP),
    replays: await deleteReplays(db, before, STEP),
    endpoints: await deleteEndpoints(db, before, STEP),
  }
  await deleteEndpointCommands(db, before, STEP)
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
