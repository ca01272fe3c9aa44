import type { Engine } from '../../contract/operation.ts'
import { bookingWorkflowId } from '../../contract/rules/ids.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { deleteOldKeys } from '../../platform/database/used-keys.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import {
  selectLostBookings,
  selectOverdueHoldsOf,
  selectUncommandedBookings,
} from '../store/booking-starts.ts'

/** Longer than a healthy workflow is ever late, short enough for an agent that waits. */
const LOST_AFTER_MS = 120_000
const PAGE = 200
/** Resumed in parallel. Most only look late, such as a booking whose venue is being asked. */
const AT_ONCE = 20

/** Starts the workflows of a page of bookings that have lost theirs. Others are unaffected. */
export async function resumeLostBookings(
  db: Pool,
  engine: Engine,
  log: Log,
  at: Date,
  after: string | null,
) {
  const dueBefore = new Date(at.getTime() - LOST_AFTER_MS)
  const lost = await selectLostBookings(db, dueBefore, { after, limit: PAGE })
  const resumed: string[] = []
  const next = lost.values()
  const resumeInTurn = async () => {
    for (const start of next) {
      if (!(await engine.resume(start))) continue
      resumed.push(start.bookingId)
      const ids = { booking_id: start.bookingId, workflow_id: bookingWorkflowId(start.bookingId) }
      log.warn(ids, 'resumed a booking that had lost its workflow')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, resumeInTurn))
  return { resumed, next: lost.length === PAGE ? (lost.at(-1)?.bookingId ?? null) : null }
}

/** A command is announced at once; after 15 s the announcement is lost. */
const UNDELIVERED_AFTER_MS = 15_000

/** Announces commands that have not run; answers the bookings. */
export async function deliverCommands(db: Pool, engine: Engine, at: Date): Promise<string[]> {
  const givenBefore = new Date(at.getTime() - UNDELIVERED_AFTER_MS)
  const uncommanded = await selectUncommandedBookings(db, givenBefore, PAGE)
  await Promise.all(uncommanded.map((start) => engine.announceCommands(start)))
  return uncommanded.map(({ bookingId }) => bookingId)
}

/** Wakes the workflows of overdue holds, which end them. Best effort; the sweep does it later. */
export async function wakeOverdueHolds(
  { db, engine, log }: { db: Pool; engine: Engine; log: Log },
  venueId: string,
  at: Date,
): Promise<void> {
  try {
    const overdue = await selectOverdueHoldsOf(db, venueId, at)
    await Promise.all(overdue.map((start) => engine.announceCommands(start)))
  } catch (error) {
    log.warn({ venue_id: venueId, error: loggable(error) }, 'could not wake overdue holds')
  }
}

const KEYS_KEPT_MS = 30 * 24 * 3_600_000

/** Deletes idempotency keys after 30 days. Answers how many. */
export const eraseOldKeys = (db: Pool, at: Date) =>
  deleteOldKeys(db, new Date(at.getTime() - KEYS_KEPT_MS))
