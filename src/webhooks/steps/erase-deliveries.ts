import { DAY_MS } from '../../base/durations.ts'
import { type DueRows, eraseThrough, type PassDeps } from '../../platform/database/continue-pass.ts'
import type { PassName } from '../../platform/database/passes.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import {
  deletedEndpoints,
  endedReplays,
  oldChallenges,
  recordErasure,
  settledDeliveries,
} from '../store/delivery-erasure.ts'
import { oldEndpointCommands } from '../store/endpoint-commands.ts'

/** Maximum rows of each kind per call. */
const STEP = 1_000

type Erased = { deliveries: number; challenges: number; replays: number; endpoints: number }

/**
 * Erases deliveries that were settled over `days` ago, with everything that depends on them.
 * `hasMore`: call again.
 */
export async function eraseDeliveries(
  deps: PassDeps,
  days: number,
  at: Date,
): Promise<Erased & { hasMore: boolean }> {
  const before = new Date(at.getTime() - days * DAY_MS)
  const upTo = (step: PassName, rows: DueRows) => async () =>
    (await eraseThrough(deps, step, rows, STEP)).done
  await recordErasure(deps.db, before)
  const { commands: _, ...counts } = await eachStep({
    deliveries: upTo('old-deliveries', settledDeliveries(before)),
    challenges: upTo('old-challenges', oldChallenges(before)),
    replays: upTo('old-replays', endedReplays(before)),
    endpoints: upTo('old-endpoints', deletedEndpoints(before)),
    commands: upTo('old-endpoint-commands', oldEndpointCommands(before)),
  })
  return { ...counts, hasMore: Object.values(counts).some((count) => count === STEP) }
}
