import type { BookingStart, BookingState, Decision } from '../src/model/booking-messages.ts'
import { type RefusalData, refusalData } from '../src/model/errors.ts'
import type { DeclineReason } from '../src/model/venue-statements.ts'
import { selectAlternatives } from '../src/store/availability.ts'
import { selectOptionalBookingState } from '../src/store/booking-state.ts'
import { selectBookingForUpdate } from '../src/store/bookings.ts'
import { selectOptionalAnswer } from '../src/store/requests.ts'
import type { Pool } from '../src/store/sql.ts'
import { type OpenStatement, selectOpenStatements } from '../src/store/statements.ts'
import { stepOnce } from '../src/store/transitions.ts'
import { actUpon, expireUnanswered } from './act-upon-statement.ts'
import type { Terms } from './confirm-booking.ts'

/**
 * Acts upon what the venue has said since the last time, each statement once, and ends the wait when its time is over.
 * Answers where the booking stands now.
 */
export async function hearVenue(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  at: Date,
): Promise<Decision> {
  const { bookingId: id } = start
  const [statements, before] = await Promise.all([
    selectOpenStatements(db, id),
    selectOptionalBookingState(db, id),
  ])
  for (const statement of statements) {
    const refusal = await refusalFor(db, start, statement, before, at)
    await once(db, start, `venue:${statement.id}`, at, async (tx) =>
      actUpon(tx, await selectBookingForUpdate(tx, id), statement, { terms, at, refusal }),
    )
  }
  const state = await selectOptionalBookingState(db, id)
  if (state && isOverdue(state, at)) return expire(db, start, state, at)
  return { answer: await selectOptionalAnswer(db, id), state: state ?? null }
}

const once = <R>(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  transitionId: string,
  at: Date,
  work: Parameters<typeof stepOnce<R>>[2],
) => stepOnce<R>(db, { accountId, bookingId, transitionId, at }, work)

const isAwaited = ({ status }: BookingState) => status === 'pending' || status === 'offered'

const isOverdue = (state: BookingState, at: Date) =>
  isAwaited(state) && (!state.answerBy || new Date(state.answerBy) <= at)

async function expire(
  db: Pool,
  start: BookingStart,
  { status }: BookingState,
  at: Date,
): Promise<Decision> {
  const [step, code] =
    status === 'offered'
      ? (['offer_by', 'offer_expired'] as const)
      : (['answer_by', 'venue_no_answer'] as const)
  const refusal = await withAlternatives(db, start, refusalData(code), at)
  return once(db, start, step, at, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    if (booking.status !== status) throw new Error('the booking has changed')
    return expireUnanswered(tx, booking, { at, refusal })
  })
}

/** What the agent is told if the statement ends its wait without a booking; looked for before the row is locked. */
async function refusalFor(
  db: Pool,
  start: BookingStart,
  statement: OpenStatement,
  before: BookingState | undefined,
  at: Date,
): Promise<RefusalData> {
  const { status, receivedAt, reason } = statement
  const isNo = status === 'declined' || status === 'cancelled'
  const refusal = isNo
    ? refusalData('venue_declined', whyDeclined(reason), reason ? { reason } : {})
    : refusalData('venue_no_answer')
  const answerBy = before?.answerBy ? new Date(before.answerBy) : null
  const isInTime = !isNo && answerBy !== null && receivedAt <= answerBy
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

const ALTERNATIVES = 5

/** What else there is: not the time that the venue has just refused, though it may have other tables then. */
async function withAlternatives(
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
