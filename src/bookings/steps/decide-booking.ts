import {
  type Choice,
  claimOf,
  evaluateOfferings,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { ConfirmMode } from '../../contract/rules/venue-kinds.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps, Terms } from '../hooks.ts'
import { HOLD_MINUTES, MOST_HOLDS } from '../rules/booking.ts'
import type { BookingStart, Decision, Opening } from '../rules/booking-messages.ts'
import { nextDueAt } from '../rules/due.ts'
import { type Limits, newcomerLimits } from '../rules/limits.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  insertHeldBooking,
  type LockedBooking,
  type SyncChange,
  selectBookingForUpdate,
  selectOptionalBookingState,
  updateBookingStatus,
} from '../store/bookings.ts'
import { feeFor, insertFeeAccrual } from '../store/fees.ts'
import { countHold, uncountHold } from '../store/holds.ts'
import {
  clearNaturalKey,
  selectOptionalAnswer,
  updateRequestAnswer,
  updateWaitingAnswers,
} from '../store/requests.ts'
import { type Done, type NewEvent, type Step, stepOnce } from '../store/transitions.ts'
import { expireHold } from './end-booking.ts'
import { explainUnavailable, withAlternatives } from './explain-unavailable.ts'
import { lockAccountLimits, whyNotOneMore } from './limits.ts'

/**
 * Takes a booking from its request to its answer: held, then confirmed by the network or, at a
 * venue that confirms itself, pending until it responds. Each step is a transaction of its own and
 * happens once; run again, it answers the state of the booking.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  const opening = await openBooking(db, start, at, deps.terms.limits)
  if ('refusal' in opening) return { answer: opening, state: null }
  if (opening.status !== 'held' || start.purpose === 'hold') {
    return { answer: await selectOptionalAnswer(db, start.bookingId), state: opening }
  }
  const { accountId, bookingId } = start
  const [transitionId, decide] = decisionFor(opening.confirmMode)
  return stepOnce<Decision>(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    return (held.starts_at > at ? decide : expireHold)(tx, held, { ...deps, at })
  })
}

/** The next step of a held booking: the network confirms it, or its venue is asked. */
export const decisionFor = (confirmMode: ConfirmMode | undefined) =>
  confirmMode === 'http' || confirmMode === 'request'
    ? (['ask', requestConfirmation] as const)
    : (['confirm', confirmAtOnce] as const)

const requestConfirmation = (tx: Db, held: LockedBooking, context: StepContext) =>
  context.venue.request(tx, held, context)

const confirmAtOnce = (tx: Db, held: LockedBooking, context: StepContext) =>
  confirm(tx, held, held.hold_until ? reasons.agentConfirms : reasons.networkConfirms, context)

/**
 * Confirms a booking with its fee, events and stored answer. A part of an itinerary that its venue
 * confirms owes its fee `later`, once all parts are confirmed. Part of a step's transaction.
 */
export async function confirm(
  tx: Db,
  from: LockedBooking,
  change: SyncChange & TimelineReason,
  { terms, hooks, at }: StepContext,
  fee: 'now' | 'later' = from.group_kind === 'itinerary' ? 'later' : 'now',
): Promise<Done<Decision>> {
  const nextActionAt = nextDueAt({ ...from, reminded_until: at }, terms.completionGraceMinutes)
  const feeStatus = fee === 'now' ? ({ feeStatus: 'accrued' } as const) : {}
  const move = { to: 'confirmed', nextActionAt, ...feeStatus, ...change } as const
  const state = await updateBookingStatus(tx, from, move, at)
  const owed = fee === 'now' ? [await accrueFee(tx, from, terms, at)] : []
  const booking = await selectBooking(tx, from.id)
  await updateWaitingAnswers(tx, from.id, { booking })
  if (from.hold_until) {
    await hooks.onConfirmed(tx, from.id, at)
    await uncountHold(tx, from)
  }
  const events = [{ type: 'booking.confirmed', data: { booking } }, ...owed]
  return { result: { answer: { booking }, state }, events }
}

/** Accrues the fee of a booking; answers the event. */
export async function accrueFee(
  tx: Db,
  booking: LockedBooking,
  { feePct }: Terms,
  at: Date,
): Promise<NewEvent> {
  const { id, is_demo, spend_per_guest_minor, party_size, currency } = booking
  const fee = feeFor(spend_per_guest_minor, party_size, feePct, currency)
  await insertFeeAccrual(tx, booking, fee, at)
  return { type: 'fee.accrued', data: { booking_id: id, ...fee, is_demo } }
}

/**
 * The state of the booking. The first time, an attempt to hold its slot: held (inventory taken,
 * event written) or refused (answer stored), each in one transaction. Offerings are tried in order.
 */
export async function openBooking(
  db: Pool,
  start: BookingStart,
  at: Date,
  limits: Limits = newcomerLimits,
): Promise<Opening> {
  const [existing, evaluation] = await Promise.all([
    selectOptionalBookingState(db, start.bookingId),
    evaluateOfferings(db, start, at),
  ])
  if (existing) return existing
  for (const choice of evaluation.choices) {
    const held = await holdSlot(db, start, choice, at, limits)
    if (held) return 'code' in held ? refuseRequest(db, start, held, at) : held
  }
  return refuseRequest(db, start, await explainUnavailable(db, start, evaluation, at), at)
}

class SlotTaken extends Error {}

/** Rolls back a hold that the account may not have. */
class NotAllowed extends Error {
  readonly refusal: RefusalData
  constructor(refusal: RefusalData) {
    super(refusal.code)
    this.refusal = refusal
  }
}

/** Holds the slot of one offering; undefined when it is taken, a refusal at a limit. */
export async function holdSlot(
  db: Pool,
  start: BookingStart,
  choice: Choice,
  at: Date,
  limits: Limits = newcomerLimits,
): Promise<Opening | RefusalData | undefined> {
  try {
    // A hold that is confirmed next need not be on disk yet.
    const durable = start.purpose === 'hold' ? 'at once' : 'soon'
    const take = (tx: Db) => takeSlot(tx, start, choice, { limits, at })
    return await stepOnce(db, holdOf(start, at), take, durable)
  } catch (error) {
    if (error instanceof SlotTaken) return undefined
    if (error instanceof NotAllowed) return error.refusal
    throw error
  }
}

async function takeSlot(
  tx: Db,
  start: BookingStart,
  choice: Choice,
  { limits, at }: { limits: Limits; at: Date },
): Promise<Done<Opening>> {
  const { bookingId, accountId, group } = start
  const account = await lockAccountLimits(tx, accountId, limits)
  const why = await whyNotOneMore(tx, start, account, { slot: choice.slot, at })
  if (why) throw new NotAllowed(why)
  const isHold = start.purpose === 'hold'
  // A part of an itinerary is held until the itinerary's deadline.
  const until = group?.holdUntil ?? at.getTime() + HOLD_MINUTES * MINUTE_MS
  const holdUntil = isHold ? new Date(until) : null
  const held = await insertHeldBooking(tx, start, choice, { holdUntil, at })
  if (!(await takeInventory(tx, choice.offering, claimOf(choice, start)))) throw new SlotTaken()
  if (isHold && !group && !(await countHold(tx, accountId))) {
    const what = `An account can have ${MOST_HOLDS} holds at a time.`
    throw new NotAllowed(refusalData('hold_limit', what))
  }
  const booking = await selectBooking(tx, bookingId)
  if (isHold) await updateRequestAnswer(tx, bookingId, { booking })
  return { result: held, events: [{ type: 'booking.held', data: { booking } }] }
}

const holdOf = ({ accountId, bookingId }: BookingStart, at: Date): Step => ({
  accountId,
  bookingId,
  transitionId: 'hold',
  at,
})

const refuseRequest = async (db: Pool, start: BookingStart, refusal: RefusalData, at: Date) =>
  storeRefusal(db, start, await withAlternatives(db, start, refusal, at), at)

/** Answers a request with a refusal, unless it has been decided. */
export function storeRefusal(
  db: Pool,
  start: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<Opening> {
  const facts = { ...refusal.facts, booking_id: start.bookingId }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Opening>(db, holdOf(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: answer, events: [] }
  })
}
