import type { SweepDeps } from '../../bookings/steps/sweep.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { selectGroupStart, selectLostGroups } from '../store/group-progress.ts'

/** Longer than a healthy workflow is ever late. */
const LOST_AFTER_MS = 2 * MINUTE_MS

/** Starts the workflow of every group that has lost its own. */
export function resumeLostGroups(deps: SweepDeps, at: Date): Promise<Pass> {
  const before = new Date(at.getTime() - LOST_AFTER_MS)
  return continuePass(deps, 'groups', {
    select: (after, limit) => selectLostGroups(deps.db, before, { after, limit }),
    idOf: (groupId) => groupId,
    async help(groupId) {
      if (!(await deps.engine.resumeGroup(await selectGroupStart(deps.db, groupId)))) return false
      deps.log.warn({ group_id: groupId }, 'resumed a group that had lost its workflow')
    },
  })
}
