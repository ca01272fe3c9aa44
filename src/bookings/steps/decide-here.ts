import { timeOf } from '../../base/account-time.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { StepDeps } from '../hooks.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { inTaskTurn } from './account-turns.ts'
import { decideBooking } from './decide-booking.ts'

/**
 * Decides a new booking in the process that took its request, as its workflow would; null if its
 * venue has to answer or the step failed, in which case the workflow continues.
 */
export async function decideHere(
  { db, log, steps }: { db: Pool; log: Log; steps: StepDeps },
  start: BookingStart,
): Promise<ConfirmAnswer | null> {
  try {
    const decide = () => decideBooking(db, start, steps, timeOf(start))
    return (await inTaskTurn(db, start, decide)).answer
  } catch (err) {
    log.warn({ err, booking_id: start.bookingId }, 'the workflow decides this booking')
    return null
  }
}
