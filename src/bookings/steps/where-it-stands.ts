import type { Db } from '../../platform/database/sql.ts'
import type { Decision } from '../rules/booking-messages.ts'
import { selectOptionalBookingState } from '../store/bookings.ts'
import { selectOptionalAnswer } from '../store/requests.ts'

/** The stored answer to a request and the state of its booking. */
export async function whereItStands(db: Db, bookingId: string): Promise<Decision> {
  const [state, answer] = await Promise.all([
    selectOptionalBookingState(db, bookingId),
    selectOptionalAnswer(db, bookingId),
  ])
  return { answer, state: state ?? null }
}
