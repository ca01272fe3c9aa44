import { DAY_MS } from '../../contract/rules/durations.ts'
import { whole } from '../../contract/rules/shards.ts'
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

/**
 * Erases deliveries settled over `days` ago and what only they used, of the endpoints of a shard.
 * `hasMore`: call again.
 */
export async function eraseDeliveries(
  db: Pool,
  days: number,
  at: Date,
  shard = whole,
): Promise<Erased & { hasMore: boolean }> {
  const before = new Date(at.getTime() - days * DAY_MS)
  const old = { before, limit: STEP, shard }
  await recordErasure(db, before)
  const counts = {
    deliveries: await deleteSettledDeliveries(db, old),
    challenges: await deleteChallenges(db, old),
    replays: await deleteReplays(db, old),
    endpoints: await deleteEndpoints(db, old),
  }
  await deleteEndpointCommands(db, old)
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
