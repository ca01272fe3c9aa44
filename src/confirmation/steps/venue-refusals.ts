import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { BookingStart, BookingState } from '../../bookings/rules/booking-messages.ts'
import { withAlternatives as suggestInstead } from '../../bookings/steps/explain-unavailable.ts'
import { selectBookingStart } from '../../bookings/store/booking-starts.ts'
import type { Alternative } from '../../contract/alternative.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { DecidedStatus, DeclineReason } from '../rules/venue-responses.ts'
import { selectOptionalChange } from '../store/open-changes.ts'
import type { OpenResponse } from '../store/venue-responses.ts'

/** The answer for the agent after a no from the venue, with alternatives. */
export type VenueRefusal = RefusalData & { facts: { alternatives?: Alternative[] } }

/** Whether the booking is waiting for the venue or the agent to answer. */
export const isAwaited = ({ status }: BookingState) => status === 'pending' || status === 'offered'

/** The agent's answer if the response does not confirm. Composed before the row is locked. */
export async function refusalFor(
  db: Pool,
  start: BookingStart,
  { status, received_at, reason }: OpenResponse,
  before: BookingState | null,
  at: Date,
): Promise<VenueRefusal> {
  const isNo = status === 'declined' || status === 'cancelled'
  const { answerBy } = before?.change ?? before ?? {}
  const isInTime = !isNo && answerBy != null && received_at <= new Date(answerBy)
  // If the venue cancels a confirmed booking, its event lists these alternatives.
  if (before?.status === 'confirmed' && isCancellation(status, before)) {
    return withAlternatives(db, { ...start, ...before.now }, refusalData('venue_declined'), { at })
  }
  if (before?.change?.phase === 'asked') {
    return refuseChange(db, start, whyNotChanged(isNo, isInTime), at)
  }
  const refusal = isNo
    ? refusalData('venue_declined', whyDeclined(reason), reason ? { reason } : {})
    : refusalData('venue_no_answer')
  if (!before || !isAwaited(before) || isInTime) {
    const { code, message, facts } = refusal
    return { code, message, facts: { ...facts, booking_id: start.bookingId } }
  }
  return withAlternatives(db, start, refusal, { at })
}

/** A yes in time counts unless the session was cancelled meanwhile. */
const whyNotChanged = (isNo: boolean, isInTime: boolean) =>
  isNo ? 'venue_declined' : isInTime ? 'venue_closed' : 'venue_no_answer'

/** A venue that refuses to undo a change thereby cancels the booking. */
const isCancellation = (status: DecidedStatus, { change }: BookingState) =>
  status === 'cancelled' || (status === 'declined' && change?.phase === 'restoring')

const reasons: Record<DeclineReason, string | undefined> = {
  full: 'it is full at that time',
  closed: 'it is closed at that time',
  party_size: 'it cannot seat a party of this size',
  short_notice: 'the notice is too short',
  other: undefined,
}

/** A person's reason for declining, in words. */
export const reasonWords = (reason: DeclineReason | null): string | undefined =>
  reason ? reasons[reason] : undefined

function whyDeclined(reason: DeclineReason | null): string | undefined {
  const words = reasonWords(reason)
  return words && `The venue declined: ${words}.`
}

const changeWords = {
  venue_closed:
    'The session was cancelled before the venue said yes; the booking stays as it was, ' +
    'and the venue is being told so.',
  venue_declined: 'The venue declined the change; the booking stays as it was.',
  venue_no_answer:
    'The venue did not say yes to the change in time; the booking stays as it was, ' +
    'and the venue is being told so.',
}

/** The answer for an agent whose change was refused, with alternatives. */
export async function refuseChange(
  db: Pool,
  start: BookingStart,
  code: keyof typeof changeWords,
  at: Date,
): Promise<VenueRefusal> {
  const change = await selectOptionalChange(db, start.bookingId)
  const slot = change && { slotTime: change.slot_time, partySize: change.party_size }
  const refusal = refusalData(code, changeWords[code], { booking_status: 'confirmed' })
  return withAlternatives(db, { ...start, ...slot }, refusal, { at, isChange: true })
}

/** The refusal with alternatives for the booking as it is now or, with `start`, as requested. */
export async function withAlternatives(
  db: Pool,
  { bookingId, slotTime, partySize }: BookingStart,
  { facts, ...refusal }: RefusalData,
  how: { at: Date; isChange?: boolean },
): Promise<VenueRefusal> {
  const request = { ...(await selectBookingStart(db, bookingId)), slotTime, partySize }
  const ofBooking = { ...refusal, facts: { ...facts, booking_id: bookingId } }
  return suggestInstead(db, request, ofBooking, how)
}
