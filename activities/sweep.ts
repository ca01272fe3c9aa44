import type { BookingEngine } from '../src/engine/booking-engine.ts'
import { selectLostBookings } from '../src/store/bookings.ts'
import { deleteDueGuestDetails } from '../src/store/requests.ts'
import type { Pool } from '../src/store/sql.ts'
import type { Log } from '../src/telemetry/log.ts'

/** Two minutes: longer than a healthy workflow is ever late, short enough that an agent still waits. */
const LOST_AFTER_MS = 120_000
const BATCH = 200

/** Starts the workflow of every booking that has lost its own; running ones are left alone. Answers the ids. */
export async function resumeLostBookings(
  db: Pool,
  engine: BookingEngine,
  log: Log,
  at: Date,
): Promise<string[]> {
  const lost = await selectLostBookings(db, new Date(at.getTime() - LOST_AFTER_MS), BATCH)
  const resumed: string[] = []
  for (const start of lost) {
    if (!(await engine.resume(start))) continue
    resumed.push(start.bookingId)
    log.warn({ bookingId: start.bookingId }, 'resumed a booking that had lost its workflow')
  }
  return resumed
}

/** Erases the guest details of bookings long past. Answers how many. */
export async function eraseGuestDetails(db: Pool, at: Date): Promise<number> {
  return deleteDueGuestDetails(db, at)
}
