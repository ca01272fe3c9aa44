import type { Engine } from '../../contract/operation.ts'
import { bookingWorkflowId } from '../../contract/rules/ids.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { deleteOldKeys } from '../../platform/database/used-keys.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { selectLostBookings, selectUncommandedBookings } from '../store/booking-starts.ts'
import { deleteDueGuestDetails } from '../store/guests.ts'

/** Longer than a healthy workflow is ever late, short enough for an agent that waits. */
const LOST_AFTER_MS = 120_000
const PAGE = 200
/** Resumed in parallel. Most only look late, such as a booking whose venue is being asked. */
const AT_ONCE = 20

/** The bookings that a page resumed, and where the next page begins; null after the last. */
export type SweptPage = { resumed: string[]; next: string | null }

/**
 * Starts the workflow of every booking of a page that has lost its own; running ones are
 * unaffected.
 */
export async function resumeLostBookings(
  db: Pool,
  engine: Engine,
  log: Log,
  at: Date,
  after: string | null,
): Promise<SweptPage> {
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

const KEYS_KEPT_MS = 30 * 24 * 3_600_000

/** Deletes idempotency keys after 30 days. Answers how many. */
export async function eraseOldKeys(db: Pool, at: Date): Promise<number> {
  return deleteOldKeys(db, new Date(at.getTime() - KEYS_KEPT_MS))
}

/** Erases the guest details of bookings long past. Answers how many. */
export async function eraseGuestDetails(db: Pool, at: Date): Promise<number> {
  return deleteDueGuestDetails(db, at)
}
