import type { ChangePhase } from '../../bookings/rules/booking.ts'
import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import type { ConfirmMode } from '../../contract/rules/venue-kinds.ts'

/** A yes, a no, the end of what was a yes, another time instead; that nobody came, and that they did come after all. */
export const decidedStatuses = [
  'confirmed',
  'declined',
  'cancelled',
  'offered',
  'no_show',
  'attended',
] as const
export type DecidedStatus = (typeof decidedStatuses)[number]

/** Why a person at a venue declined: told to agents, so a list and no words of their own. */
export const declineReasons = ['full', 'closed', 'party_size', 'short_notice', 'other'] as const
export type DeclineReason = (typeof declineReasons)[number]

/** A no-show can be reported this long after the end of the slot, and taken back this long after it was reported. */
export const NO_SHOW_HOURS = 48

/**
 * A statement that is the venue's own, by its signature or its link. `answeredAt` is the venue's clock and orders its statements;
 * `receivedAt` is ours.
 */
export type VenueResponse = {
  revision: number
  status: DecidedStatus
  answeredAt: Date
  receivedAt: Date
}

/** What of a booking decides about a statement: `answeredAt` is that of the statement that holds so far. */
export type ResponseSubject = {
  status: BookingStatus
  confirmMode: ConfirmMode
  revision: number
  startsAt: Date
  endsAt: Date
  answerBy: Date | null
  askedRevision: number | null
  answeredAt: Date | null
  withdrawDue: boolean
  change: RequestedChange | null
  /** the terms of this revision the venue has declined, and the booking stayed as it was */
  declinedRevision: number | null
}

/** A change that the venue is asked for, to another slot, or told that is off. */
export type RequestedChange = { phase: ChangePhase; revision: number; startsAt: Date }

/** What a statement leads to; those from `repeated` on change nothing for the guest. */
export type Effect =
  | 'confirm'
  | 'decline'
  | 'offer'
  | 'expire'
  | 'cancel'
  | 'no_show'
  | 'attended'
  | 'withdraw'
  | 'withdrawn'
  | 'amend'
  | 'keep'
  | 'restore'
  | 'restored'
  | 'not_restored'
  | 'repeated'
  | 'superseded'
  | 'other_revision'
  | 'too_early'
  | 'too_late'
  | 'over'

/**
 * What a statement of the venue leads to at `at`. The latest `answeredAt` prevails, but for the acknowledgement of a withdrawal,
 * which its revision tells; a yes counts when it was received by `answerBy` and before the slot begins; a yes to a booking that
 * is over must be withdrawn where a system has written it down. What it says of a change is about that alone: the booking stays
 * confirmed as it was, and a yes that does not count must be taken back.
 */
export function resolveVenueResponse(
  booking: ResponseSubject,
  statement: VenueResponse,
  at: Date,
): Effect {
  if (acknowledgesWithdrawal(booking, statement)) return 'withdrawn'
  const ofChange = resolveChange(booking, statement, at)
  if (ofChange) return ofChange
  const before = booking.answeredAt
  if (before && statement.answeredAt < before) return 'superseded'
  if (before && statement.answeredAt.getTime() === before.getTime()) return 'repeated'
  switch (statement.status) {
    case 'confirmed':
      return resolveYes(booking, statement, at)
    case 'offered':
      return resolveOffer(booking, statement, at)
    case 'no_show':
      return resolveNoShow(booking, statement)
    case 'attended':
      return resolveAttended(booking, statement)
    default:
      return resolveNo(booking, statement)
  }
}

/** Only a venue that has got the withdrawal knows its revision: whatever its clock says, this no is its answer to it. */
const acknowledgesWithdrawal = (booking: ResponseSubject, { status, revision }: VenueResponse) =>
  booking.withdrawDue &&
  (status === 'declined' || status === 'cancelled') &&
  revision >= booking.revision

/** Only a venue that was asked for the change knows its revision, so its clock may say what it will. */
function resolveChange(
  { status, change, answerBy, startsAt, askedRevision, declinedRevision }: ResponseSubject,
  statement: VenueResponse,
  at: Date,
): Effect | undefined {
  if (status !== 'confirmed') return undefined
  const isYes = statement.status === 'confirmed'
  if (change && statement.revision === change.revision) {
    if (!isYes && statement.status !== 'declined') return undefined
    if (change.phase === 'restoring') return isYes ? 'restored' : 'not_restored'
    if (!isYes) return 'keep'
    const isInTime = answerBy !== null && statement.receivedAt <= answerBy
    return isInTime && startsAt > at && change.startsAt > at ? 'amend' : 'restore'
  }
  const isNewer = statement.revision > (askedRevision ?? 0)
  const isRevived = isYes && isNewer && statement.revision === declinedRevision
  return isRevived && change?.phase !== 'restoring' ? 'restore' : undefined
}

function resolveYes(booking: ResponseSubject, statement: VenueResponse, at: Date): Effect {
  const { status, askedRevision } = booking
  if (status === 'completed' || status === 'no_show') return 'over'
  if (status !== 'pending' && status !== 'confirmed') {
    // What a person has clicked is not in any books: the page tells them that it is over.
    return booking.confirmMode === 'http' ? 'withdraw' : 'over'
  }
  if (statement.revision !== askedRevision) return 'other_revision'
  if (status === 'confirmed') return 'repeated'
  return isInTime(booking, statement, at) ? 'confirm' : 'expire'
}

function resolveOffer(booking: ResponseSubject, statement: VenueResponse, at: Date): Effect {
  if (booking.status !== 'pending') return 'over'
  if (statement.revision !== booking.askedRevision) return 'other_revision'
  return isInTime(booking, statement, at) ? 'offer' : 'expire'
}

const isInTime = (
  { answerBy, startsAt }: ResponseSubject,
  { receivedAt }: VenueResponse,
  at: Date,
) => answerBy !== null && receivedAt <= answerBy && startsAt > at

const openToNo: readonly BookingStatus[] = ['pending', 'offered', 'confirmed']

function resolveNo(booking: ResponseSubject, statement: VenueResponse): Effect {
  const { status, revision, receivedAt } = statement
  if (booking.withdrawDue) return 'withdrawn'
  if (!openToNo.includes(booking.status)) return 'over'
  const asked = booking.askedRevision ?? 0
  const counts = status === 'cancelled' ? revision >= asked : revision === asked
  if (!counts) return 'other_revision'
  if (booking.status !== 'confirmed') return 'decline'
  // People cancel what is to come: who did not come is a no-show.
  if (booking.confirmMode !== 'http' && receivedAt >= booking.startsAt) return 'over'
  // Of two people who answer at once, the one who declines does not know that the other has accepted.
  return status === 'declined' && booking.confirmMode !== 'http' ? 'over' : 'cancel'
}

function resolveNoShow(booking: ResponseSubject, { receivedAt }: VenueResponse): Effect {
  if (booking.status === 'no_show') return 'repeated'
  if (booking.status !== 'confirmed' && booking.status !== 'completed') return 'over'
  if (receivedAt < booking.startsAt) return 'too_early'
  return isWithin(booking.endsAt, receivedAt) ? 'no_show' : 'too_late'
}

function resolveAttended(booking: ResponseSubject, { receivedAt }: VenueResponse): Effect {
  if (booking.status === 'completed') return 'repeated'
  if (booking.status !== 'no_show') return 'over'
  return isWithin(booking.answeredAt ?? booking.endsAt, receivedAt) ? 'attended' : 'too_late'
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * 3_600_000
