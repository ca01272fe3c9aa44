import { refusalData } from '../../base/errors.ts'
import type { StepDeps } from '../../bookings/hooks.ts'
import type { BookingStart, BookingState, Decision } from '../../bookings/rules/booking-messages.ts'
import { actsAt } from '../../bookings/rules/in-time.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { type LockedBooking, selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { hasOpenCommand } from '../../bookings/store/commands.ts'
import { selectDecision } from '../../bookings/store/requests.ts'
import { stepOnce } from '../../bookings/store/transitions.ts'
import { type Db, type Pool, readTogether, together } from '../../platform/database/sql.ts'
import { isWithdrawalOver } from '../rules/venue-patience.ts'
import { selectOpenResponses } from '../store/venue-responses.ts'
import { updateVenueSync } from '../store/venue-sync.ts'
import { applyVenueResponse, expireUnanswered } from './apply-venue-response.ts'
import { endUnanswered } from './end-change.ts'
import { isAwaited, refusalFor, refuseChange, withAlternatives } from './venue-refusals.ts'

/**
 * Applies each new response from the venue once, and ends a wait whose time is up. Returns the
 * booking's state afterwards.
 */
export async function applyVenueResponses(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  const { bookingId: id } = start
  const readDecision = () => readTogether(db, (client) => selectDecision(client, id))
  const [responses, before] = await readTogether(db, (client) =>
    together(selectOpenResponses(client, id), selectDecision(client, id)),
  )
  for (const response of responses) {
    const refusal = await refusalFor(db, start, response, before.state, at)
    const input = { response, refusal }
    const step = {
      accountId: start.accountId,
      bookingId: id,
      transitionId: `venue:${response.id}`,
      at,
    }
    await stepOnce(
      db,
      step,
      (tx, booking: LockedBooking) => applyVenueResponse(tx, booking, input, { ...deps, at }),
      { read: (tx) => selectBookingForUpdate(tx, id) },
    )
  }
  const after = responses.length > 0 ? await readDecision() : before
  const { state } = after
  if (state && isOverdue(state, at)) await expire(db, start, state, deps, at)
  else if (state && isChangeOverdue(state, at)) await expireChange(db, start, state, deps, at)
  else if (state?.withdrawDue && isWithdrawalOver(new Date(start.startsAt), at)) {
    await endWithdrawal(db, start, at)
  } else return after
  return readDecision()
}

const once = <R>(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  transitionId: string,
  at: Date,
  work: Parameters<typeof stepOnce<R>>[2],
) => stepOnce<R>(db, { accountId, bookingId, transitionId, at }, work)

const isOverdue = (state: BookingState, at: Date) => isAwaited(state) && isOver(state, at)

const isOver = ({ answerBy }: { answerBy?: string | null }, at: Date) =>
  !answerBy || actsAt(new Date(answerBy)) <= at

async function expire(
  db: Pool,
  start: BookingStart,
  { status, answerBy }: BookingState,
  deps: StepDeps,
  at: Date,
): Promise<void> {
  const { bookingId } = start
  const isOffer = status === 'offered'
  const [step, code] = isOffer
    ? (['offer_by', 'offer_expired'] as const)
    : (['answer_by', 'venue_no_answer'] as const)
  const isAnswered = async (on: Db) =>
    isOffer && (await hasOpenCommand(on, bookingId, new Date(answerBy ?? 0)))
  // If the agent has answered an overdue offer, its commands run next and settle the matter.
  if (await isAnswered(db)) return
  const refusal = await withAlternatives(db, start, refusalData(code), { at })
  await once(db, start, step, at, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    if (booking.status !== status) throw new Error('the booking has changed')
    if (await isAnswered(tx)) throw new Error('the offer was answered in time')
    await requireAllApplied(tx, bookingId)
    return expireUnanswered(tx, booking, { refusal }, { ...deps, at })
  })
}

const isChangeOverdue = ({ change }: BookingState, at: Date) =>
  change?.phase === 'asked' && isOver(change, at)

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
    await requireAllApplied(tx, start.bookingId)
    return endUnanswered(tx, booking, refusal, { ...deps, at })
  })
}

/** Gives up on a venue that has never acknowledged the end of a booking. */
const endWithdrawal = (db: Pool, start: BookingStart, at: Date) =>
  once(db, start, `withdraw_by:${at.toISOString()}`, at, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    if (booking.venue_sync !== 'withdraw_due') throw new Error('the booking has changed')
    const outcome = { venueSync: 'given_up', nextActionAt: null } as const
    const change = { ...outcome, ...reasons.venueNeverAcknowledges }
    return { result: await updateVenueSync(tx, booking, change, at), events: [] }
  })

/** Throws if a response was stored after responses were read but before the row was locked. */
async function requireAllApplied(tx: Db, bookingId: string): Promise<void> {
  const open = await selectOpenResponses(tx, bookingId)
  if (open.length > 0) throw new Error('the venue has responded')
}
