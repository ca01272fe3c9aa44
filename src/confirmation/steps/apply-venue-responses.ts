import type { StepDeps } from '../../bookings/hooks.ts'
import type { BookingStart, BookingState, Decision } from '../../bookings/rules/booking-messages.ts'
import { whereItStands } from '../../bookings/steps/where-it-stands.ts'
import {
  selectBookingForUpdate,
  selectOptionalBookingState,
} from '../../bookings/store/bookings.ts'
import { stepOnce } from '../../bookings/store/transitions.ts'
import { refusalData } from '../../contract/rules/errors.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { selectOpenResponses } from '../store/venue-responses.ts'
import { applyVenueResponse, expireUnanswered } from './apply-venue-response.ts'
import { endUnanswered } from './end-change.ts'
import { isAwaited, refusalFor, refuseChange, withAlternatives } from './venue-refusals.ts'

/**
 * Acts upon what the venue has said since the last time, each statement once, and ends the wait
 * when its time is over.
 */
export async function applyOpenResponses(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const { bookingId: id } = start
  const [statements, before] = await Promise.all([
    selectOpenResponses(db, id),
    selectOptionalBookingState(db, id),
  ])
  for (const statement of statements) {
    const refusal = await refusalFor(db, start, statement, before, at)
    await once(db, start, `venue:${statement.id}`, at, async (tx) =>
      applyVenueResponse(tx, await selectBookingForUpdate(tx, id), statement, {
        ...deps,
        at,
        refusal,
      }),
    )
  }
  const state = statements.length > 0 ? await selectOptionalBookingState(db, id) : before
  if (state && isOverdue(state, at)) await expire(db, start, state, deps, at)
  else if (state && isChangeOverdue(state, at)) await expireChange(db, start, state, deps, at)
}

/** The same, and where the booking stands then. */
export async function applyVenueResponses(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  await applyOpenResponses(db, start, deps, at)
  return whereItStands(db, start.bookingId)
}

const once = <R>(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  transitionId: string,
  at: Date,
  work: Parameters<typeof stepOnce<R>>[2],
) => stepOnce<R>(db, { accountId, bookingId, transitionId, at }, work)

const isOverdue = (state: BookingState, at: Date) =>
  isAwaited(state) && (!state.answerBy || new Date(state.answerBy) <= at)

async function expire(
  db: Pool,
  start: BookingStart,
  { status }: BookingState,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const [step, code] =
    status === 'offered'
      ? (['offer_by', 'offer_expired'] as const)
      : (['answer_by', 'venue_no_answer'] as const)
  const refusal = await withAlternatives(db, start, refusalData(code), at)
  await once(db, start, step, at, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    if (booking.status !== status) throw new Error('the booking has changed')
    return expireUnanswered(tx, booking, { ...deps, at, refusal })
  })
}

const isChangeOverdue = ({ change }: BookingState, at: Date) =>
  change?.phase === 'asked' && new Date(change.answerBy ?? 0) <= at

async function expireChange(
  db: Pool,
  start: BookingStart,
  { change }: BookingState,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const refusal = await refuseChange(db, start, 'venue_no_answer', at)
  await once(db, start, `change_by:${change?.answerBy}`, at, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    const isAsRead =
      booking.change_phase === 'asked' && booking.answer_by?.toISOString() === change?.answerBy
    if (!isAsRead) throw new Error('the booking has changed')
    return endUnanswered(tx, booking, { ...deps, at, refusal })
  })
}
