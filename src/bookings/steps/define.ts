import type { ErrorCode } from '../../contract/rules/error-catalogue.ts'
import { type ErrorFacts, refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { CommandAnswer } from '../rules/booking-messages.ts'
import type { LockedBooking } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import type { NewEvent } from '../store/transitions.ts'
import type { Terms } from './confirm-booking.ts'

/** What a command leads to, in its step's transaction: an answer, or none yet, as the venue decides about it. */
export type CommandDone = { answer: CommandAnswer | null; events: NewEvent[] }

/** One kind of command: changes the booking, which is locked, or refuses and changes nothing. */
export type RunCommand = (
  tx: Db,
  booking: LockedBooking,
  command: OpenCommand,
  context: { terms: Terms; at: Date },
) => Promise<CommandDone>

/** A command that changes nothing, and why. */
export function refused(
  code: ErrorCode,
  { id, status }: Pick<LockedBooking, 'id' | 'status'>,
  what = `The booking is ${status}.`,
  facts: ErrorFacts = {},
): CommandDone {
  const refusal = refusalData(code, what, { booking_id: id, booking_status: status, ...facts })
  return { answer: { refusal }, events: [] }
}
