import { SECOND_MS } from '../../base/durations.ts'
import { LOST_AFTER_MS } from '../../bookings/steps/sweep.ts'
import type { PassDeps } from '../../platform/database/continue-pass.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { GroupEngine } from '../engine.ts'
import { noteGroupAlive, selectGroupStart, selectLostGroups } from '../store/group-progress.ts'

/** A booking's signal is sent immediately; one not noticed within 15 s counts as lost. */
const UNHEARD_AFTER_MS = 15 * SECOND_MS

const STILL = 'nothing moved'

export type GroupSweepDeps = PassDeps & { engine: GroupEngine }

/**
 * Repeats signals that groups have not noticed, doubling the delay each time, and gives a new run
 * to every group whose run is lost or cannot continue.
 */
export function resumeLostGroups(deps: GroupSweepDeps, at: Date): Promise<Pass> {
  const { db, engine } = deps
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const before = { moved: ago(UNHEARD_AFTER_MS), still: ago(LOST_AFTER_MS) }
  return continuePass(deps, 'groups', {
    select: (page) => selectLostGroups(db, before, page),
    idOf: ({ id }) => id,
    async help({ id, since, hasMoved }) {
      const start = await selectGroupStart(db, id)
      if (since < before.still && (await engine.resumeGroup(start))) return
      if (hasMoved) return engine.announceMoved(start, lateAnnouncement(since, at))
      // The group is waiting for its venues: one signal per run is enough.
      await engine.announceMoved(start, STILL)
      await noteGroupAlive(db, id, at, null)
      return false
    },
  })
}
