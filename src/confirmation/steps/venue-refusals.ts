import { selectAlternatives } from '../../availability/store/alternatives.ts'
import type { BookingStart, BookingState } from '../../bookings/rules/booking-messages.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { DeclineReason } from '../rules/venue-responses.ts'
import { selectOptionalChange } from '../store/open-changes.ts'
import type { OpenResponse } from '../store/venue-responses.ts'

/** Whether somebody's answer decides what becomes of the booking. */
export const isAwaited = ({ status }: BookingState) => status === 'pending' || status === 'offered'

/** What the agent is told if the statement ends its wait to no good; looked for before the row is locked. */
export async function refusalFor(
  db: Pool,
  start: BookingStart,
  statement: OpenResponse,
  before: BookingState | undefined,
  at: Date,
): Promise<RefusalData> {
  const { status, receivedAt, reason } = statement
  const isNo = status === 'declined' || status === 'cancelled'
  const { answerBy } = before?.change ?? before ?? {}
  const isInTime = !isNo && answerBy != null && receivedAt <= new Date(answerBy)
  if (before?.change?.phase === 'asked' && !isInTime) {
    return refuseChange(db, start, isNo ? 'venue_declined' : 'venue_no_answer', at)
  }
  const refusal = isNo
    ? refusalData('venue_declined', whyDeclined(reason), reason ? { reason } : {})
    : refusalData('venue_no_answer')
  if (!before || !isAwaited(before) || isInTime) {
    return { ...refusal, facts: { ...refusal.facts, booking_id: start.bookingId } }
  }
  return withAlternatives(db, start, refusal, at)
}

const reasons: Record<DeclineReason, string | undefined> = {
  full: 'The venue declined: it is full then.',
  closed: 'The venue declined: it is closed then.',
  party_size: 'The venue declined: it cannot seat a party of this size.',
  short_notice: 'The venue declined: that is too soon for it.',
  other: undefined,
}

const whyDeclined = (reason: DeclineReason | null) => (reason ? reasons[reason] : undefined)

const changeWords = {
  venue_declined: 'The venue declined the change; the booking stays as it was.',
  venue_no_answer:
    'The venue did not say yes to the change in time; the booking stays as it was, and the venue is being told so.',
}

/** What an agent is told whose change comes to nothing: alternatives to what it wanted. */
export async function refuseChange(
  db: Pool,
  start: BookingStart,
  code: keyof typeof changeWords,
  at: Date,
): Promise<RefusalData> {
  const { slotTime, partySize } = (await selectOptionalChange(db, start.bookingId)) ?? start
  const refusal = refusalData(code, changeWords[code], { booking_status: 'confirmed' })
  return withAlternatives(db, { ...start, slotTime, partySize }, refusal, at)
}

const ALTERNATIVES = 5

/** The refusal with what else there is: not the time that the venue has just refused, though it may have other tables then. */
export async function withAlternatives(
  db: Pool,
  { bookingId, venueId, slotTime, partySize }: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<RefusalData> {
  const limit = ALTERNATIVES + 1
  const found = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit })
  const isRefused = ({ venue, slot_time }: (typeof found)[number]) =>
    venue.id === venueId && slot_time === slotTime
  const alternatives = found.filter((one) => !isRefused(one)).slice(0, ALTERNATIVES)
  return { ...refusal, facts: { ...refusal.facts, alternatives, booking_id: bookingId } }
}
