import type { ClockPart } from '../../contract/clock-part.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import { atMost } from '../../platform/process/at-most.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { ClockEngine } from '../engine.ts'
import { selectLateClocks } from '../store/due.ts'
import type { ClockDeps } from './advance-clock.ts'

/** Longer than a running workflow can be late. */
const LATE_SECONDS = 15

/**
 * The sweep for accounts with a test clock: restarts the workflows of moving clocks and of anything
 * overdue by their time.
 */
export function resumeClocks(deps: ClockDeps, at: Date): Promise<Pass> {
  const { db, engine, log, clockParts } = deps
  const late = { at, lateSeconds: LATE_SECONDS }
  return continuePass(deps, 'test-clocks', {
    select: (page) => selectLateClocks(db, clockParts, late, page),
    idOf: ({ id }) => id,
    async help({ id, name, ahead_ms, is_advancing, due }) {
      if (is_advancing) return engine.resumeClock({ accountId: id, name })
      const until = new Date(at.getTime() + ahead_ms)
      const news = { until, id: lateAnnouncement(due ?? until, until) }
      const tell = (part: ClockPart<ClockEngine>) => part.tell({ db, engine, log }, id, news)
      await atMost(clockParts.length, clockParts, tell)
    },
  })
}
