import { type Choice, claimOf, takeInventory } from '../../availability/steps/evaluate-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import { type Db, type Pool, together } from '../../platform/database/sql.ts'
import type { StepContext } from '../hooks.ts'
import { HOLD_MINUTES, MAX_HOLDS } from '../rules/booking.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import type { Limits } from '../rules/limits.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { insertHeldBooking, type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import { countHold } from '../store/holds.ts'
import { updateRequestAnswer, updateWaitingAnswers } from '../store/requests.ts'
import {
  type Done,
  type Step,
  selectOptionalResult,
  stepOnce,
  type Undone,
} from '../store/transitions.ts'
import { moveToConfirmed } from './confirm.ts'
import { limitRefusal } from './limits.ts'
import { similarRefusal } from './similar.ts'

/** Nothing is held: the service is full, or the account may not have the slot. */
type NotTaken = Undone<'no_room' | RefusalData>

/** The first step of a booking, which holds its slot or refuses its request. */
export const holdStep = ({ accountId, bookingId }: BookingStart, at: Date): Step => ({
  accountId,
  bookingId,
  transitionId: 'hold',
  at,
})

/** Holds a slot of one service. */
export const takeSlot = (
  db: Pool,
  start: BookingStart,
  choice: Choice,
  { limits, at }: { limits: Limits; at: Date },
): Promise<Decision | NotTaken> =>
  stepOnce<Decision, RefusalData | undefined, NotTaken['undone']>(
    db,
    holdStep(start, at),
    async (tx, refusal) => {
      const hold = await holdIn(tx, start, choice, { refusal, at })
      if ('undone' in hold) return hold
      return hold.done
    },
    { read: (tx) => takeRefusal(tx, start, choice, { limits, at }) },
  )

/** Holds a slot of one service and, in the same transaction, confirms it or asks its venue. */
export async function takeAndDecide(
  db: Pool,
  start: BookingStart,
  choice: Choice,
  context: StepContext,
): Promise<Decision | NotTaken> {
  const { terms, venue, at } = context
  const asksVenue = choice.service.confirm_mode !== 'auto'
  const first = holdStep(start, at)
  try {
    return await stepOnce<Decision, RefusalData | undefined, NotTaken['undone']>(
      db,
      { ...first, transitionId: asksVenue ? 'ask' : 'confirm' },
      async (tx, refusal) => {
        const hold = await holdIn(tx, start, choice, { refusal, at })
        if ('undone' in hold) return hold
        const decided: Done<Decision> = asksVenue
          ? await venue.request(tx, hold.booking, context)
          : await moveToConfirmed(tx, hold.booking, reasons.networkConfirms, context)
        return { ...decided, before: { ...first, done: hold.done } }
      },
      {
        read: (tx) => takeRefusal(tx, start, choice, { limits: terms.limits, at }),
        write: async (tx, { answer }) =>
          answer && updateWaitingAnswers(tx, start.bookingId, answer),
      },
    )
  } catch (error) {
    const earlier = await selectOptionalResult<Decision>(db, first)
    if (earlier) return earlier
    throw error
  }
}

/** Why the account may not have this slot: its limits, or a similar booking. */
async function takeRefusal(
  tx: Db,
  start: BookingStart,
  { slot }: Choice,
  { limits, at }: { limits: Limits; at: Date },
): Promise<RefusalData | undefined> {
  const { startsAt, endsAt } = slot
  const [limit, similar] = await together(
    limitRefusal(tx, start, slot, { limits, at }),
    similarRefusal(tx, { ...start, startsAt, endsAt }, at),
  )
  return limit ?? similar
}

/**
 * Whether the account was on pro when it sent the request, and now nothing pays. A card pays once
 * the slot is held, or when a hold is confirmed.
 */
const lacksPayment = ({ payment, purpose }: BookingStart, { unpaid }: LockedBooking) =>
  unpaid === 'x402' || (unpaid === 'card' && !payment && purpose !== 'hold')

/** Holds a slot within the step's transaction; also returns the locked booking. */
async function holdIn(
  tx: Db,
  start: BookingStart,
  choice: Choice,
  { refusal, at }: { refusal: RefusalData | undefined; at: Date },
): Promise<{ done: Done<Decision>; booking: LockedBooking } | NotTaken> {
  if (refusal) return { undone: refusal }
  const { bookingId, accountId, group, holdMs = HOLD_MINUTES * MINUTE_MS } = start
  const isHold = start.purpose === 'hold'
  // A part of an itinerary is held until the itinerary's deadline.
  const until = group?.holdUntil ?? at.getTime() + holdMs
  const holdUntil = isHold ? new Date(until) : null
  const [state, booking, locked, hasRoom] = await together(
    insertHeldBooking(tx, start, choice, { holdUntil, at }),
    selectBooking(tx, bookingId),
    selectBookingForUpdate(tx, bookingId),
    takeInventory(tx, choice.service, claimOf(choice, start)),
  )
  if (!hasRoom) return { undone: 'no_room' }
  if (lacksPayment(start, locked)) return { undone: refusalData('plan_required') }
  // Who leads is known only now.
  const isLed = isHold && choice.service.rules.leader !== undefined
  const held = isLed ? await selectBooking(tx, bookingId) : booking
  const answer = isHold ? { booking: held } : null
  if (answer) {
    const [isCounted] = await together(
      group ? Promise.resolve(true) : countHold(tx, accountId),
      updateRequestAnswer(tx, bookingId, answer),
    )
    const what = `An account can have ${MAX_HOLDS} holds at a time.`
    if (!isCounted) return { undone: refusalData('hold_limit', what) }
  }
  const done: Done<Decision> = {
    result: { answer, state },
    events: [{ type: 'booking.held', data: { booking: held } }],
  }
  return { done, booking: locked }
}
