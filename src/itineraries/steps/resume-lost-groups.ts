import type { SweepDeps } from '../../bookings/steps/sweep.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/rules/durations.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import { noteGroupAlive, selectGroupStart, selectLostGroups } from '../store/group-progress.ts'

/** A booking's signal comes at once; after 15 s it is lost. */
const UNHEARD_AFTER_MS = 15 * SECOND_MS
/** Longer than a healthy workflow is ever late. */
const LOST_AFTER_MS = 2 * MINUTE_MS

const STILL = 'nothing moved'

/**
 * Announces what groups have not noticed, each time its delay has doubled, and starts the workflow
 * of every group that has lost its own.
 */
export function resumeLostGroups(deps: SweepDeps, at: Date): Promise<Pass> {
  const { db, engine, log } = deps
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const before = { moved: ago(UNHEARD_AFTER_MS), still: ago(LOST_AFTER_MS) }
  return continuePass(deps, 'groups', {
    select: (after, limit) => selectLostGroups(db, before, { after, limit }),
    idOf: ({ id }) => id,
    async help({ id, since, hasMoved }) {
      const start = await selectGroupStart(db, id)
      if (hasMoved) return engine.announceMoved(start, lateAnnouncement(since, at))
      if (await engine.resumeGroup(start)) {
        return log.warn({ group_id: id }, 'resumed a group that had lost its workflow')
      }
      // It waits for its venues, or it is a run of a release that polled: one signal is enough for
      // each run. The next look at the group is in two minutes.
      await engine.announceMoved(start, STILL)
      await noteGroupAlive(db, id, at, null)
      return false
    },
  })
}
