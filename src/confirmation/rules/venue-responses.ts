import type { BookingStatus } from '../../base/booking-status.ts'
import { HOUR_MS } from '../../base/durations.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { ChangePhase } from '../../bookings/rules/booking.ts'

/** A venue's decisions. `offered` proposes another time; `attended` takes back a no-show. */
export const decidedStatuses = [
  'confirmed',
  'declined',
  'cancelled',
  'offered',
  'no_show',
  'attended',
] as const
export type DecidedStatus = (typeof decidedStatuses)[number]

/** Why a person at a venue declined. A fixed list, because agents see the reason. */
export const declineReasons = ['full', 'closed', 'party_size', 'short_notice', 'other'] as const
export type DeclineReason = (typeof declineReasons)[number]

/** How long a no-show can be reported after the slot, and taken back after the report. */
export const NO_SHOW_HOURS = 48

/**
 * A response that its signature or link proves to come from the venue. `answered_at` is on the
 * venue's clock and orders its responses; `received_at` is on ours.
 */
export type VenueResponse = {
  revision: number
  status: DecidedStatus
  answered_at: Date
  received_at: Date
}

/** The booking that a response is about; `answered_at` is that of its latest valid response. */
export type ResponseSubject = {
  status: BookingStatus
  confirm_mode: ConfirmMode
  revision: number
  starts_at: Date
  ends_at: Date
  answer_by: Date | null
  asked_revision: number | null
  answered_at: Date | null
  withdraw_due: boolean
  change: RequestedChange | null
  /** the venue declined a change to this revision, and the booking stayed as it was */
  declined_revision: number | null
}

/** A change that the venue is asked for, or must undo; `starts_at` is the start of the new slot. */
export type RequestedChange = { phase: ChangePhase; revision: number; starts_at: Date }

/** The effects of a response; the last six, from `repeated` on, change nothing for the guest. */
export type ResponseEffect =
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
 * What a venue's response does at `at`. The latest `answered_at` prevails, except that the
 * acknowledgement of a withdrawal is recognized by its revision. A yes counts if it is received by
 * `answer_by` and before the slot begins. A yes for a booking that is over must be withdrawn if a
 * system has recorded it. A response to a change affects only the change: the booking stays
 * confirmed as it was, and the venue must undo a yes that does not count.
 */
export function resolveVenueResponse(
  booking: ResponseSubject,
  response: VenueResponse,
  at: Date,
): ResponseEffect {
  if (acknowledgesWithdrawal(booking, response)) return 'withdrawn'
  const ofChange = resolveChange(booking, response, at)
  if (ofChange) return ofChange
  const before = booking.answered_at
  if (before && response.answered_at < before) return 'superseded'
  if (before && response.answered_at.getTime() === before.getTime()) return 'repeated'
  switch (response.status) {
    case 'confirmed':
      return resolveYes(booking, response, at)
    case 'offered':
      return resolveOffer(booking, response, at)
    case 'no_show':
      return resolveNoShow(booking, response)
    case 'attended':
      return resolveAttended(booking, response)
    default:
      return resolveNo(booking, response)
  }
}

/** Only a venue that received the withdrawal knows its revision, so the time does not matter. */
const acknowledgesWithdrawal = (booking: ResponseSubject, { status, revision }: VenueResponse) =>
  booking.withdraw_due &&
  (status === 'declined' || status === 'cancelled') &&
  revision >= booking.revision

/** Only a venue that was asked for the change knows its revision, so the time does not matter. */
function resolveChange(
  booking: ResponseSubject,
  response: VenueResponse,
  at: Date,
): ResponseEffect | undefined {
  const { status, change, asked_revision, declined_revision } = booking
  if (status !== 'confirmed') return undefined
  if (change && response.revision === change.revision) {
    return resolveRequestedChange(booking, change, response, at)
  }
  const isNewer = response.revision > (asked_revision ?? 0)
  const isRevived =
    response.status === 'confirmed' && isNewer && response.revision === declined_revision
  return isRevived && change?.phase !== 'restoring' ? 'restore' : undefined
}

function resolveRequestedChange(
  booking: ResponseSubject,
  { phase, starts_at }: RequestedChange,
  response: VenueResponse,
  at: Date,
): ResponseEffect | undefined {
  const isYes = response.status === 'confirmed'
  if (!isYes && response.status !== 'declined') return undefined
  if (phase === 'restoring') return isYes ? 'restored' : 'not_restored'
  if (!isYes) return 'keep'
  if (isInTime(booking, response, at) && starts_at > at) return 'amend'
  return booking.confirm_mode === 'http' ? 'restore' : 'over'
}

function resolveYes(booking: ResponseSubject, response: VenueResponse, at: Date): ResponseEffect {
  const { status, asked_revision } = booking
  if (status === 'completed' || status === 'no_show') return 'over'
  if (status !== 'pending' && status !== 'confirmed') {
    // A person's click is recorded nowhere else, and the page says that the booking is over.
    return booking.confirm_mode === 'http' ? 'withdraw' : 'over'
  }
  if (response.revision !== asked_revision) return 'other_revision'
  if (status === 'confirmed') return 'repeated'
  return isInTime(booking, response, at) ? 'confirm' : 'expire'
}

function resolveOffer(booking: ResponseSubject, response: VenueResponse, at: Date): ResponseEffect {
  if (booking.status !== 'pending') return 'over'
  if (response.revision !== booking.asked_revision) return 'other_revision'
  return isInTime(booking, response, at) ? 'offer' : 'expire'
}

const isInTime = (
  { answer_by, starts_at }: ResponseSubject,
  { received_at }: VenueResponse,
  at: Date,
) => answer_by !== null && received_at <= answer_by && starts_at > at

const openToNo: readonly BookingStatus[] = ['pending', 'offered', 'confirmed']

function resolveNo(booking: ResponseSubject, response: VenueResponse): ResponseEffect {
  const { status, revision, received_at } = response
  if (booking.withdraw_due) return 'withdrawn'
  if (!openToNo.includes(booking.status)) return 'over'
  const askedRevision = booking.asked_revision ?? 0
  const counts = status === 'cancelled' ? revision >= askedRevision : revision === askedRevision
  if (!counts) return 'other_revision'
  if (booking.status !== 'confirmed') return 'decline'
  // People can only cancel in advance; a guest who did not come is a no-show.
  if (booking.confirm_mode !== 'http' && received_at >= booking.starts_at) return 'over'
  // If two people answer at the same time, the one who declines may be unaware of the other's yes.
  return status === 'declined' && booking.confirm_mode !== 'http' ? 'over' : 'cancel'
}

function resolveNoShow(booking: ResponseSubject, { received_at }: VenueResponse): ResponseEffect {
  if (booking.status === 'no_show') return 'repeated'
  if (booking.status !== 'confirmed' && booking.status !== 'completed') return 'over'
  if (received_at < booking.starts_at) return 'too_early'
  return isWithin(booking.ends_at, received_at) ? 'no_show' : 'too_late'
}

function resolveAttended(booking: ResponseSubject, { received_at }: VenueResponse): ResponseEffect {
  if (booking.status === 'completed') return 'repeated'
  if (booking.status !== 'no_show') return 'over'
  return isWithin(booking.answered_at ?? booking.ends_at, received_at) ? 'attended' : 'too_late'
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * HOUR_MS
