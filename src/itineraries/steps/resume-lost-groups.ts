import type { Engine } from '../../contract/operation.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { selectLostGroups } from '../store/group-progress.ts'

/** Longer than a healthy workflow is ever late. */
const LOST_AFTER_MS = 2 * MINUTE_MS
const PAGE = 200

/** Starts the workflow of every group that has lost its own; returns the groups. */
export async function resumeLostGroups(db: Pool, engine: Engine, log: Log, at: Date) {
  const lost = await selectLostGroups(db, new Date(at.getTime() - LOST_AFTER_MS), PAGE)
  const resumed: string[] = []
  for (const start of lost) {
    if (!(await engine.resumeGroup(start))) continue
    resumed.push(start.groupId)
    log.warn({ group_id: start.groupId }, 'resumed a group that had lost its workflow')
  }
  return resumed
}
