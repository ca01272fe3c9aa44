import type { Engine } from '../../contract/define.ts'
import { bookingWorkflowId } from '../../contract/rules/ids.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { deleteOldKeys } from '../../platform/database/used-keys.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { selectLostBookings, selectUncommandedBookings } from '../store/booking-starts.ts'
import { deleteDueGuestDetails } from '../store/guests.ts'

/** Two minutes: longer than a healthy workflow is ever late, short enough that an agent still waits. */
const LOST_AFTER_MS = 120_000
const PAGE = 200
/** Of a page; most of them run and only look late, as a booking whose venue is still being asked. */
const AT_ONCE = 20

/** What a page of the sweep did, and where the next one begins; null after the last. */
export type SweptPage = { resumed: string[]; next: string | null }

/** Starts the workflow of every booking of a page that has lost its own; running ones are left alone. */
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

/** A command reaches its booking at once; one that has not within 15 s has lost its messenger. */
const UNDELIVERED_AFTER_MS = 15_000

/** Tells bookings what agents want of them, where nobody has yet; answers which. */
export async function deliverCommands(db: Pool, engine: Engine, at: Date): Promise<string[]> {
  const givenBefore = new Date(at.getTime() - UNDELIVERED_AFTER_MS)
  const uncommanded = await selectUncommandedBookings(db, givenBefore, PAGE)
  await Promise.all(uncommanded.map((start) => engine.announceCommands(start)))
  return uncommanded.map(({ bookingId }) => bookingId)
}

const KEYS_KEPT_MS = 30 * 24 * 3_600_000

/** Forgets idempotency keys after 30 days. Answers how many. */
export async function eraseOldKeys(db: Pool, at: Date): Promise<number> {
  return deleteOldKeys(db, new Date(at.getTime() - KEYS_KEPT_MS))
}

/** Erases the guest details of bookings long past. Answers how many. */
export async function eraseGuestDetails(db: Pool, at: Date): Promise<number> {
  return deleteDueGuestDetails(db, at)
}
