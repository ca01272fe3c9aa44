import { DAY_MS, SECOND_MS } from '../../base/durations.ts'
import { continuePass, eraseThrough, type PassDeps } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { lateAnnouncement } from '../../platform/temporal/announce.ts'
import type { WebhookEngine } from '../engine.ts'
import { heldSince, selectWaitingEndpoints } from '../store/waiting-endpoints.ts'

/** Longer than a running workflow takes to act. */
const OVERDUE_MS = 15 * SECOND_MS
/** If work is later than this, the workflow's run may be unable to continue. */
const LOST_MS = 90 * SECOND_MS

export type WakeDeps = { db: Pool; engine: WebhookEngine; log: Log }

/**
 * Guarantees that every delivery is made: notifies endpoints with work over 15 s late, and restarts
 * workflows whose run cannot continue.
 */
export function wakeWaitingEndpoints(deps: WakeDeps, at: Date): Promise<Pass> {
  const before = new Date(at.getTime() - OVERDUE_MS)
  return continuePass(deps, 'endpoints', {
    select: (page) => selectWaitingEndpoints(deps.db, before, page),
    idOf: ({ endpointId }) => endpointId,
    async help({ since, ...start }) {
      const isLost = at.getTime() - since.getTime() > LOST_MS
      if (isLost && (await deps.engine.resumeEndpoint(start))) return
      await deps.engine.announceDue(start, lateAnnouncement(since, at))
    },
  })
}

/** Expires deliveries held for `days`, in real time or on a test clock; returns how many. */
export async function expireHeld(
  deps: PassDeps,
  days: number,
  at: Date,
  accountId: string | null = null,
): Promise<number> {
  const before = new Date(at.getTime() - days * DAY_MS)
  const step = accountId ? (`held-deliveries ${accountId}` as const) : 'held-deliveries'
  return (await eraseThrough(deps, step, heldSince(before, at, accountId))).done
}
