import type { RefusalData } from '../../base/errors.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { clearNaturalKey, updateRequestAnswer } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { holdStep } from './take-slot.ts'

/** Refuses a request unless it has already been decided. */
export function refuseRequest(
  db: Pool,
  start: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<Decision> {
  const facts = { booking_id: start.bookingId, ...refusal.facts }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Decision>(db, holdStep(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: { answer, state: null }, events: [] }
  })
}
