import type { ErrorCode } from '../../contract/rules/error-catalogue.ts'
import { type ErrorFacts, type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { CommandDone } from '../hooks.ts'
import type { LockedBooking } from '../store/bookings.ts'

/** The answer of a command that is refused and changes nothing. */
export function refused(
  code: ErrorCode,
  booking: Pick<LockedBooking, 'id' | 'status'>,
  what = `The booking is ${booking.status}.`,
  facts: ErrorFacts = {},
): CommandDone {
  return refusedFor(refusalData(code, what, facts), booking)
}

/** The same for a reason that is known already; it names the booking. */
export function refusedFor(
  { facts, ...refusal }: RefusalData,
  { id, status }: Pick<LockedBooking, 'id' | 'status'>,
): CommandDone {
  const ofBooking = { booking_id: id, booking_status: status }
  return { answer: { refusal: { ...refusal, facts: { ...ofBooking, ...facts } } }, events: [] }
}
