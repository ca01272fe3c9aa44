import type { ErrorCode } from '../../base/error-catalogue.ts'
import { type ErrorFacts, type RefusalData, refusalData } from '../../base/errors.ts'
import type { CommandDone } from '../hooks.ts'
import type { BookingStart, CommandAnswer } from '../rules/booking-messages.ts'
import type { LockedBooking } from '../store/bookings.ts'

type RefusedCommand = CommandDone & { answer: CommandAnswer }

/** The answer to a command that is refused and changes nothing. */
export function refused(
  code: ErrorCode,
  booking: Pick<LockedBooking, 'id' | 'status'>,
  what = `The booking is ${booking.status}.`,
  facts: ErrorFacts = {},
): RefusedCommand {
  return refusedFor(refusalData(code, what, facts), booking)
}

/** Refuses a command with an error code; the facts name the booking. */
export function refusedFor(
  { facts, ...refusal }: RefusalData,
  { id, status }: Pick<LockedBooking, 'id' | 'status'>,
): RefusedCommand {
  const ofBooking = { booking_id: id, booking_status: status }
  return { answer: { refusal: { ...refusal, facts: { ...ofBooking, ...facts } } }, events: [] }
}

/** The answer to a command on a refused request, which has no booking. */
export const requestRefused = ({ bookingId: id }: BookingStart): RefusedCommand =>
  refused('already_final', { id, status: 'failed' }, 'The request was refused.')
