import type { BookingStart, BookingState, Decision } from '../src/model/booking-messages.ts'
import { type RefusalData, refusalData } from '../src/model/errors.ts'
import { selectAlternatives } from '../src/store/availability.ts'
import { selectBookingForUpdate, selectOptionalBookingState } from '../src/store/bookings.ts'
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
  if (state && isOverdue(state, at)) return expire(db, start, at)
  return { answer: await selectOptionalAnswer(db, id), state: state ?? null }
}

const once = <R>(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  transitionId: string,
  at: Date,
  work: Parameters<typeof stepOnce<R>>[2],
) => stepOnce<R>(db, { accountId, bookingId, transitionId, at }, work)

const isOverdue = ({ status, answerBy }: BookingState, at: Date) =>
  status === 'pending' && (!answerBy || new Date(answerBy) <= at)

async function expire(db: Pool, start: BookingStart, at: Date): Promise<Decision> {
  const refusal = await withAlternatives(db, start, 'venue_no_answer', at)
  return once(db, start, 'answer_by', at, async (tx) =>
    expireUnanswered(tx, await selectBookingForUpdate(tx, start.bookingId), { at, refusal }),
  )
}

/** What the agent is told if the statement ends its wait without a booking; looked for before the row is locked. */
async function refusalFor(
  db: Pool,
  start: BookingStart,
  statement: OpenStatement,
  before: BookingState | undefined,
  at: Date,
): Promise<RefusalData> {
  const { status, receivedAt } = statement
  const code = status === 'confirmed' ? 'venue_no_answer' : 'venue_declined'
  const answerBy = before?.answerBy ? new Date(before.answerBy) : null
  const isYesInTime = status === 'confirmed' && answerBy !== null && receivedAt <= answerBy
  if (before?.status !== 'pending' || isYesInTime) {
    return refusalData(code, undefined, { booking_id: start.bookingId })
  }
  return withAlternatives(db, start, code, at)
}

const ALTERNATIVES = 5

/** What else there is: not the time that the venue has just refused, though it may have other tables then. */
async function withAlternatives(
  db: Pool,
  { bookingId, venueId, slotTime, partySize }: BookingStart,
  code: 'venue_no_answer' | 'venue_declined',
  at: Date,
): Promise<RefusalData> {
  const limit = ALTERNATIVES + 1
  const found = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit })
  const isRefused = ({ venue, slot_time }: (typeof found)[number]) =>
    venue.id === venueId && slot_time === slotTime
  const alternatives = found.filter((one) => !isRefused(one)).slice(0, ALTERNATIVES)
  return refusalData(code, undefined, { alternatives, booking_id: bookingId })
}
