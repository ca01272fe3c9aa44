import {
  type Choice,
  claimOf,
  type Evaluation,
  evaluateOfferings,
  type PartyRequest,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { selectAlternatives } from '../../availability/store/alternatives.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { ConfirmMode } from '../../contract/rules/venue-kinds.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps } from '../hooks.ts'
import { HOLD_MINUTES, MOST_HOLDS } from '../rules/booking.ts'
import type { BookingStart, Decision, Opening } from '../rules/booking-messages.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  insertHeldBooking,
  type LockedBooking,
  selectBookingForUpdate,
  selectOptionalBookingState,
} from '../store/bookings.ts'
import { countHold, selectOverdueHolds } from '../store/holds.ts'
import { clearNaturalKey, selectOptionalAnswer, updateRequestAnswer } from '../store/requests.ts'
import { type Done, type Step, stepOnce } from '../store/transitions.ts'
import { confirm } from './confirm-booking.ts'
import { expireHold } from './end-booking.ts'

/**
 * Takes a booking from its request to its answer: held, then confirmed by the network or, at a
 * venue that decides for itself, pending until that responds. Each step is a transaction of its own
 * and happens once; run again, it answers the state of the booking.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  const opening = await openBooking(db, start, at)
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
export function decisionFor(confirmMode: ConfirmMode | undefined) {
  return confirmMode === 'http' || confirmMode === 'request'
    ? (['ask', requestConfirmation] as const)
    : (['confirm', confirmAtOnce] as const)
}

const requestConfirmation = (tx: Db, held: LockedBooking, context: StepContext) =>
  context.venue.request(tx, held, context)

function confirmAtOnce(tx: Db, held: LockedBooking, { at, ...deps }: StepContext) {
  const reason = held.hold_until ? reasons.agentConfirms : reasons.networkConfirms
  return confirm(tx, held, deps, { ...reason, at })
}

const MINUTE_MS = 60_000

/**
 * The state of the booking. The first time, an attempt to hold its slot: held (inventory taken,
 * event written) or refused (answer stored), each in one transaction. Offerings are tried in order.
 */
export async function openBooking(db: Pool, start: BookingStart, at: Date): Promise<Opening> {
  const [existing, evaluation] = await Promise.all([
    selectOptionalBookingState(db, start.bookingId),
    evaluateOfferings(db, start, at),
  ])
  if (existing) return existing
  for (const choice of evaluation.choices) {
    const held = await holdSlot(db, start, choice, at)
    if (held) return 'code' in held ? refuseRequest(db, start, held, at) : held
  }
  return refuseRequest(db, start, await explainUnavailable(db, start, evaluation, at), at)
}

/** Why no slot can be had. One that only an overdue hold occupies is free in a moment. */
export async function explainUnavailable(
  db: Pool,
  asked: PartyRequest,
  { choices, refusal }: Evaluation,
  at: Date,
): Promise<RefusalData> {
  if (refusal) return refusal
  for (const { offering, slot } of choices) {
    const span = { offeringId: offering.id, from: slot.startsAt, until: slot.occupiedUntil }
    const overdue = await selectOverdueHolds(db, span, at)
    if (overdue.length > 0) return refusalData('slot_held', undefined, { retry_after: 1 })
  }
  return refusalData('slot_unavailable', unavailable(asked))
}

const unavailable = ({ venueName, partySize, slotTime, timezone }: PartyRequest) =>
  `${venueName} has nothing left for ${partySize} at ${slotTime} (${timezone}).`

/** The refusal, with alternatives. */
export async function withAlternatives(
  db: Pool,
  { venueId, slotTime, partySize }: PartyRequest,
  refusal: RefusalData,
  at: Date,
): Promise<RefusalData> {
  const alternatives = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit: 5 })
  return { ...refusal, facts: { ...refusal.facts, alternatives } }
}

class SlotTaken extends Error {}
class TooManyHolds extends Error {}

/** Holds the slot of one offering; undefined when it is taken, a refusal at too many holds. */
export async function holdSlot(
  db: Pool,
  start: BookingStart,
  choice: Choice,
  at: Date,
): Promise<Opening | RefusalData | undefined> {
  try {
    // A hold that is confirmed next need not be on disk yet.
    const durable = start.purpose === 'hold' ? 'at once' : 'soon'
    return await stepOnce(db, holdOf(start, at), (tx) => takeSlot(tx, start, choice, at), durable)
  } catch (error) {
    if (error instanceof SlotTaken) return undefined
    if (error instanceof TooManyHolds) {
      return refusalData('hold_limit', `An account can have ${MOST_HOLDS} holds at a time.`)
    }
    throw error
  }
}

async function takeSlot(
  tx: Db,
  start: BookingStart,
  choice: Choice,
  at: Date,
): Promise<Done<Opening>> {
  const { bookingId } = start
  const isHold = start.purpose === 'hold'
  const holdUntil = isHold ? untilWhen(start, at) : null
  const held = await insertHeldBooking(tx, start, choice, { holdUntil, at })
  if (!(await takeInventory(tx, choice.offering, claimOf(choice, start)))) throw new SlotTaken()
  const isCounted = isHold && !start.group
  if (isCounted && !(await countHold(tx, start.accountId))) throw new TooManyHolds()
  const booking = await selectBooking(tx, bookingId)
  if (isHold) await updateRequestAnswer(tx, bookingId, { booking })
  return { result: held, events: [{ type: 'booking.held', data: { booking } }] }
}

/** A part of an itinerary is held until the itinerary's deadline. */
const untilWhen = ({ group }: BookingStart, at: Date) =>
  group?.holdUntil ? new Date(group.holdUntil) : new Date(at.getTime() + HOLD_MINUTES * MINUTE_MS)

const holdOf = ({ accountId, bookingId }: BookingStart, at: Date): Step => ({
  accountId,
  bookingId,
  transitionId: 'hold',
  at,
})

async function refuseRequest(
  db: Pool,
  start: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<Opening> {
  const found = await withAlternatives(db, start, refusal, at)
  const facts = { ...found.facts, booking_id: start.bookingId }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Opening>(db, holdOf(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: answer, events: [] }
  })
}
