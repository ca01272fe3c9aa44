import type { BookingStatus } from './booking.ts'

/** A yes, a no, and the end of what was a yes: docs/venue-connector.md, `booking.state`. */
export const decidedStatuses = ['confirmed', 'declined', 'cancelled'] as const
export type DecidedStatus = (typeof decidedStatuses)[number]

/** A statement whose signature held. `answeredAt` is the venue's clock and orders its statements; `receivedAt` is ours. */
export type VenueStatement = {
  revision: number
  status: DecidedStatus
  answeredAt: Date
  receivedAt: Date
}

/** What of a booking decides about a statement: `answeredAt` is that of the statement that holds so far. */
export type AskedBooking = {
  status: BookingStatus
  revision: number
  startsAt: Date
  answerBy: Date | null
  askedRevision: number | null
  answeredAt: Date | null
  withdrawDue: boolean
}

/** What a statement leads to; the last four change nothing for the guest. */
export type Effect =
  | 'confirm'
  | 'decline'
  | 'expire'
  | 'cancel'
  | 'withdraw'
  | 'withdrawn'
  | 'repeated'
  | 'superseded'
  | 'other_revision'
  | 'over'

/**
 * What a statement of the venue leads to at `at`. The latest `answeredAt` prevails, but for the acknowledgement of a withdrawal,
 * which its revision tells; a yes counts when it was received by `answerBy` and before the slot begins; a yes to a booking that
 * is over must be withdrawn.
 */
export function weigh(booking: AskedBooking, statement: VenueStatement, at: Date): Effect {
  if (acknowledgesWithdrawal(booking, statement)) return 'withdrawn'
  const before = booking.answeredAt
  if (before && statement.answeredAt < before) return 'superseded'
  if (before && statement.answeredAt.getTime() === before.getTime()) return 'repeated'
  return statement.status === 'confirmed'
    ? weighYes(booking, statement, at)
    : weighNo(booking, statement)
}

/** Only a venue that has got the withdrawal knows its revision: whatever its clock says, this no is its answer to it. */
const acknowledgesWithdrawal = (booking: AskedBooking, { status, revision }: VenueStatement) =>
  booking.withdrawDue && status !== 'confirmed' && revision >= booking.revision

function weighYes(booking: AskedBooking, statement: VenueStatement, at: Date): Effect {
  const { status, askedRevision, answerBy, startsAt } = booking
  if (status === 'completed' || status === 'no_show') return 'over'
  if (status !== 'pending' && status !== 'confirmed') return 'withdraw'
  if (statement.revision !== askedRevision) return 'other_revision'
  if (status === 'confirmed') return 'repeated'
  const inTime = answerBy !== null && statement.receivedAt <= answerBy && startsAt > at
  return inTime ? 'confirm' : 'expire'
}

function weighNo(booking: AskedBooking, { status, revision }: VenueStatement): Effect {
  if (booking.withdrawDue) return 'withdrawn'
  if (booking.status !== 'pending' && booking.status !== 'confirmed') return 'over'
  const asked = booking.askedRevision ?? 0
  const counts = status === 'cancelled' ? revision >= asked : revision === asked
  if (!counts) return 'other_revision'
  return booking.status === 'pending' ? 'decline' : 'cancel'
}
