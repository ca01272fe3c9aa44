import { DAY_MS } from '../../base/durations.ts'
import type { SweepDeps } from '../../bookings/steps/sweep.ts'
import { selectOptionalStartAt } from '../../confirmation/store/booking-starts.ts'
import { insertDecision } from '../../confirmation/store/venue-responses.ts'
import { eraseThrough, type PassDeps, runPass } from '../../platform/database/continue-pass.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { oldCalls, selectDueReplies, takeReply } from '../store/venue-book.ts'

/**
 * Sends the due statements of test venues: of sandboxes in real time, or of one sandbox whose time
 * is `at`. To preserve their order, a reply waits until the previous one has been applied.
 */
export const deliverReplies = (
  deps: SweepDeps,
  at: Date,
  accountId: string | null = null,
): Promise<Pass> =>
  runPass(deps, accountId ? `replies ${accountId}` : 'replies', {
    select: (page) => selectDueReplies(deps.db, at, accountId, page),
    idOf: ({ booking_id }) => booking_id,
    help: ({ booking_id }) => deliverReply(deps, booking_id, at),
  })

/** Stores a booking's first due reply as the venue's and announces it; false if there is none. */
export async function deliverReply(
  { db, engine }: Pick<SweepDeps, 'db' | 'engine'>,
  bookingId: string,
  at: Date,
): Promise<boolean> {
  const sentReply = await transaction(db, async (tx) => {
    const reply = await takeReply(tx, bookingId, at)
    if (!reply) return undefined
    const { venue_id: venueId, revision, status, due_at: answeredAt } = reply
    const id = `sandbox_${status}_${revision}`
    await insertDecision(tx, {
      bookingId,
      id,
      revision,
      status,
      answeredAt,
      receivedAt: answeredAt,
      reason: reply.reason ?? undefined,
      offeredSlotTime: reply.offered_slot_time ?? undefined,
    })
    return { id, venueId }
  })
  if (!sentReply) return false
  const start = await selectOptionalStartAt(db, sentReply.venueId, bookingId)
  // Best effort: the sweep announces unapplied responses.
  if (start) await engine.venueResponded(start, sentReply.id).catch(() => {})
  return true
}

const CALLS_KEPT_MS = 60 * DAY_MS

/** Erases test venues' records of old bookings. */
export const eraseOldCalls = (deps: PassDeps, at: Date): Promise<Pass> =>
  eraseThrough(deps, 'old-test-calls', oldCalls(new Date(at.getTime() - CALLS_KEPT_MS)))
