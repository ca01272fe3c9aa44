import {
  type Choice,
  claimOf,
  evaluateServices,
  takeInventory,
} from '../../availability/steps/evaluate-services.ts'
import { dropInventory } from '../../availability/store/inventory.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import type { StepContext } from '../../bookings/hooks.ts'
import type { BookingState } from '../../bookings/rules/booking-messages.ts'
import { actsAt } from '../../bookings/rules/in-time.ts'
import { venueOffers } from '../../bookings/rules/timeline-reasons.ts'
import { keptWish } from '../../bookings/steps/amend.ts'
import { targetOf } from '../../bookings/steps/amend-booking.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, updateBookingStatus } from '../../bookings/store/bookings.ts'
import { selectSpansOf } from '../../bookings/store/freed-spans.ts'
import { type Done, recordSteps } from '../../bookings/store/transitions.ts'
import { attempt, type Db } from '../../platform/database/sql.ts'
import { upsertVenueOffer } from '../store/venue-offers.ts'
import type { OpenResponse } from '../store/venue-responses.ts'
import { earlier } from './request-confirmation.ts'

/**
 * Reserves the time proposed by the venue in place of the requested one, until the agent has
 * answered. Undefined, with nothing changed, if it is not free. Part of a step's transaction.
 */
export async function offerSlot(
  tx: Db,
  pending: LockedBooking,
  response: Pick<OpenResponse, 'offered_slot_time' | 'answered_at'>,
  { terms, hooks, at }: StepContext,
): Promise<Done<BookingState> | undefined> {
  const { offered_slot_time, answered_at: venueAnsweredAt } = response
  const slotTime = offered_slot_time ?? ''
  const freed = await selectSpansOf(tx, pending.id, at)
  const choice = await takeFirst(tx, pending, await choicesAt(tx, pending, slotTime, at))
  if (!choice) return undefined
  const target = targetOf(pending, choice, pending.party_size, at)
  const deadline = at.getTime() + terms.offerAnswerMinutes * MINUTE_MS
  const own = new Date(Math.min(deadline, target.starts_at.getTime()))
  const answerBy = earlier(own, pending.group_answer_by)
  await upsertVenueOffer(tx, pending.id, { ...target, slot_time: slotTime })
  const reason = venueOffers(slotTime, answerBy, pending.timezone)
  const due = { nextActionAt: actsAt(answerBy), answerBy, venueAnsweredAt, ...reason }
  const result = await updateBookingStatus(tx, pending, { to: 'offered', ...due }, at)
  const booking = await selectBooking(tx, pending.id)
  const steps = await hooks.onSlotFreed(tx, pending, freed, at)
  await recordSteps(tx, pending.account_id, steps)
  return { result, events: [{ type: 'booking.offered', data: { booking } }] }
}

/** The services that the booking can have at this time, the requested one first. */
async function choicesAt(tx: Db, booking: LockedBooking, slotTime: string, at: Date) {
  const { id, venue_id: venueId, party_size: partySize } = booking
  if (slotTime === booking.slot_time) return []
  const request = { ...(await keptWish(tx, id)), venueId, slotTime, partySize }
  const { choices } = await evaluateServices(tx, request, at)
  const isAsked = ({ service }: Choice) => Number(service.id === booking.service_id)
  return choices.toSorted((a, b) => isAsked(b) - isAsked(a))
}

async function takeFirst(tx: Db, booking: LockedBooking, choices: readonly Choice[]) {
  const { id: bookingId, party_size: partySize } = booking
  for (const choice of choices) {
    const claim = claimOf(choice, { bookingId, partySize })
    const result = await attempt(tx, async () => {
      await dropInventory(tx, bookingId, claim)
      return (await takeInventory(tx, choice.service, claim)) ? choice : undefined
    })
    if (result) return result
  }
  return undefined
}
