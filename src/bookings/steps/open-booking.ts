import {
  type Choice,
  evaluateOfferings,
  type PartyRequest,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { selectAlternatives } from '../../availability/store/availability.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import { HOLD_MINUTES, MOST_HOLDS } from '../rules/booking.ts'
import type { BookingStart, Opening } from '../rules/booking-messages.ts'
import { selectOptionalBookingState } from '../store/booking-state.ts'
import { selectBooking } from '../store/booking-view.ts'
import { insertHeldBooking } from '../store/bookings.ts'
import { countHold, selectOverdueHolds } from '../store/holds.ts'
import { clearNaturalKey, updateRequestAnswer } from '../store/requests.ts'
import { type Done, stepOnce } from '../store/transitions.ts'

const MINUTE_MS = 60_000

/**
 * Where the booking stands or, the first time, the attempt to hold its slot: held (inventory taken, event written) or
 * refused (answer stored), each in one transaction. Offerings are tried in their order; the first that can, takes it.
 */
export async function openBooking(db: Pool, start: BookingStart, at: Date): Promise<Opening> {
  const [existing, judged] = await Promise.all([
    selectOptionalBookingState(db, start.bookingId),
    evaluateOfferings(db, start, at),
  ])
  if (existing) return existing
  for (const choice of judged.choices) {
    const held = await holdSlot(db, start, choice, at)
    if (held) return 'code' in held ? refuseRequest(db, start, held, at) : held
  }
  return refuseRequest(
    db,
    start,
    judged.refusal ?? (await explainUnavailable(db, start, judged, at)),
    at,
  )
}

/** Why nothing could be taken of what is allowed. A slot that only an overdue hold keeps is free in a moment. */
export async function explainUnavailable(
  db: Pool,
  asked: PartyRequest,
  { choices }: { choices: readonly Choice[] },
  at: Date,
): Promise<RefusalData> {
  for (const { offering, slot } of choices) {
    const span = { offeringId: offering.id, from: slot.startsAt, until: slot.occupiedUntil }
    const overdue = await selectOverdueHolds(db, span, at)
    if (overdue.length > 0) return refusalData('slot_held', undefined, { retry_after: 1 })
  }
  return refusalData('slot_unavailable', unavailable(asked))
}

const unavailable = ({ venueName, partySize, slotTime, timezone }: PartyRequest) =>
  `${venueName} has nothing left for ${partySize} at ${slotTime} (${timezone}).`

class SlotTaken extends Error {}
class TooManyHolds extends Error {}

/** Holds the slot of one offering; undefined when somebody else has it, a refusal when the account holds too much. */
export async function holdSlot(
  db: Pool,
  start: BookingStart,
  choice: Choice,
  at: Date,
): Promise<Opening | RefusalData | undefined> {
  try {
    // An explicit hold is answered for by itself; another is followed by its confirmation.
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
  { offering, slot }: Choice,
  at: Date,
): Promise<Done<Opening>> {
  const { bookingId, partySize } = start
  const { startsAt, endsAt, occupiedUntil, cancelUntil } = slot
  const isHold = start.purpose === 'hold'
  const holdUntil = isHold ? untilWhen(start, at) : null
  const held = await insertHeldBooking(tx, {
    start,
    offeringId: offering.id,
    ruleVersion: offering.rule_version,
    confirmMode: offering.confirm_mode,
    holdUntil,
    startsAt,
    endsAt,
    cancelUntil,
    at,
  })
  const claim = { bookingId, offeringId: offering.id, startsAt, until: occupiedUntil, partySize }
  if (!(await takeInventory(tx, offering, claim))) throw new SlotTaken()
  const isCounted = isHold && !start.group
  if (isCounted && !(await countHold(tx, start.accountId))) throw new TooManyHolds()
  const booking = await selectBooking(tx, bookingId)
  if (isHold) await updateRequestAnswer(tx, bookingId, { booking })
  return { result: held, events: [{ type: 'booking.held', data: { booking } }] }
}

/** A part of an itinerary is held as long as the itinerary may need it. */
const untilWhen = ({ group }: BookingStart, at: Date) =>
  group?.holdUntil ? new Date(group.holdUntil) : new Date(at.getTime() + HOLD_MINUTES * MINUTE_MS)

const holdOf = ({ accountId, bookingId }: BookingStart, at: Date) => ({
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
  const { venueId, slotTime, partySize } = start
  const alternatives = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit: 5 })
  const facts = { ...refusal.facts, alternatives, booking_id: start.bookingId }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Opening>(db, holdOf(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: answer, events: [] }
  })
}
