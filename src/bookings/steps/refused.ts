import type { ErrorCode } from '../../contract/rules/error-catalogue.ts'
import { type ErrorFacts, refusalData } from '../../contract/rules/errors.ts'
import type { CommandDone } from '../hooks.ts'
import type { LockedBooking } from '../store/bookings.ts'

/** The answer of a command that is refused and changes nothing. */
export function refused(
  code: ErrorCode,
  { id, status }: Pick<LockedBooking, 'id' | 'status'>,
  what = `The booking is ${status}.`,
  facts: ErrorFacts = {},
): CommandDone {
  const refusal = refusalData(code, what, { booking_id: id, booking_status: status, ...facts })
  return { answer: { refusal }, events: [] }
}
