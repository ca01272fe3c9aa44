import type { RefusalData } from '../../base/errors.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { clearNaturalKey, updateRequestAnswer } from '../store/requests.ts'
import { type Step, stepOnce } from '../store/transitions.ts'

/** The first step of a booking: its slot is held, or its request refused. */
export const holdStep = ({ accountId, bookingId }: BookingStart, at: Date): Step => ({
  accountId,
  bookingId,
  transitionId: 'hold',
  at,
})

/** Answers a request with a refusal, unless it has been decided. */
export function refuseRequest(
  db: Pool,
  start: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<Decision> {
  const facts = { ...refusal.facts, booking_id: start.bookingId }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Decision>(db, holdStep(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: { answer, state: null }, events: [] }
  })
}
