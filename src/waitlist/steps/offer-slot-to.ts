import { randomUUIDv7 } from 'node:crypto'
import { claimOf, takeInventory } from '../../availability/steps/evaluate-offerings.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { waitlistOffers } from '../../bookings/rules/timeline-reasons.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { insertHeldBooking } from '../../bookings/store/bookings.ts'
import { insertRequest, requestOf, updateRequestAnswer } from '../../bookings/store/requests.ts'
import type { DoneStep, NewEvent } from '../../bookings/store/transitions.ts'
import { attempt, type Db } from '../../platform/database/sql.ts'
import { lockEntry, type WaitlistEntry } from '../store/queue.ts'
import { insertTurn } from '../store/turns.ts'
import type { OfferableSlot } from '../store/venue-slots.ts'

/**
 * Gives a watcher a slot, as a hold of its own that is not one of the account's ten. Undefined, and nothing changed, when the slot is
 * taken by now or the watcher no longer waits.
 */
export const offerSlotTo = (
  tx: Db,
  entry: WaitlistEntry,
  choice: OfferableSlot,
  { freedBy, at }: { freedBy: string | null; at: Date },
): Promise<DoneStep | undefined> =>
  attempt(tx, async () => {
    const { watchId } = entry.start
    if (!(await lockEntry(tx, watchId))) return undefined
    const start = startOf(entry, choice)
    const { bookingId, accountId } = start
    await writeRequest(tx, entry, start, at)
    const lasts = at.getTime() + entry.holdSeconds * 1000
    const holdUntil = new Date(Math.min(lasts, choice.slot.startsAt.getTime()))
    const reason = waitlistOffers(holdUntil)
    const state = await insertHeldBooking(tx, start, choice, { holdUntil, reason, at })
    const claim = claimOf(choice, start)
    if (!(await takeInventory(tx, choice.offering, claim))) return undefined
    await insertTurn(tx, { watchId, holdId: bookingId, freedBy, at })
    const done = { result: state, events: await tell(tx, watchId, bookingId) }
    return { accountId, bookingId, transitionId: 'hold', at, done }
  })

/** The same as of a hold that was asked for at the slot's own time. */
function startOf({ start, venueId }: WaitlistEntry, { slot }: OfferableSlot): BookingStart {
  const { watchId: _, ...shared } = start
  return {
    ...shared,
    bookingId: randomUUIDv7(),
    venueId,
    slotTime: slot.slotTime,
    startsAt: slot.startsAt.toISOString(),
    purpose: 'hold',
  }
}

const writeRequest = (
  tx: Db,
  { start, door, fromAgent }: WaitlistEntry,
  hold: BookingStart,
  at: Date,
) =>
  insertRequest(tx, {
    ...requestOf(hold),
    idempotency_key: null,
    body_hash: Buffer.from(start.watchId),
    natural_key: null,
    door,
    from_agent: fromAgent,
    guest_ref: null,
    guest: null,
    at,
  })

async function tell(tx: Db, watchId: string, holdId: string): Promise<NewEvent[]> {
  const booking = await selectBooking(tx, holdId)
  await updateRequestAnswer(tx, holdId, { booking })
  const { venue, slot_time, timezone, party_size, hold_until } = booking
  const opened = { watch_id: watchId, hold_id: holdId, hold_until }
  return [
    { type: 'booking.held', data: { booking } },
    {
      type: 'venue.availability_opened',
      data: { ...opened, venue, slot_time, timezone, party_size },
    },
  ]
}
