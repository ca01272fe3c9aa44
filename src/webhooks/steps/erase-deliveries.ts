import { DAY_MS } from '../../contract/rules/durations.ts'
import { nameInShard, whole } from '../../contract/rules/shards.ts'
import type { PassDeps } from '../../platform/database/continue-pass.ts'
import { eraseThrough, type Limit } from '../../platform/database/erase-through.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import {
  deleteChallenges,
  deleteEndpoints,
  deleteReplays,
  deleteSettledDeliveries,
  type OldRows,
  recordErasure,
} from '../store/delivery-erasure.ts'
import { deleteEndpointCommands } from '../store/endpoint-commands.ts'

/** Rows of a kind per call. */
const STEP = 1_000

type Erased = { deliveries: number; challenges: number; replays: number; endpoints: number }

/**
 * Erases deliveries settled over `days` ago and what only they used, of the endpoints of a shard.
 * `hasMore`: call again.
 */
export async function eraseDeliveries(
  deps: PassDeps,
  days: number,
  at: Date,
  shard = whole,
): Promise<Erased & { hasMore: boolean }> {
  const { db } = deps
  const before = new Date(at.getTime() - days * DAY_MS)
  const upTo = (step: string, erase: (db: Pool, old: OldRows) => Promise<number>) => async () => {
    const part = nameInShard(step, shard)
    const eraseSome = (limit: Limit) => erase(db, { before, limit, shard })
    return (await eraseThrough(deps, { step: part, max: STEP, erase: eraseSome })).done
  }
  await recordErasure(db, before)
  const { commands: _, ...counts } = await eachStep({
    deliveries: upTo('old-deliveries', deleteSettledDeliveries),
    challenges: upTo('old-challenges', deleteChallenges),
    replays: upTo('old-replays', deleteReplays),
    endpoints: upTo('old-endpoints', deleteEndpoints),
    commands: upTo('old-endpoint-commands', deleteEndpointCommands),
  })
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
