import { randomUUIDv7 } from 'node:crypto'
import { claimOf, takeInventory } from '../../availability/steps/evaluate-services.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import type { Limits } from '../../bookings/rules/limits.ts'
import { waitlistOffers } from '../../bookings/rules/timeline-reasons.ts'
import { mayBeOffered } from '../../bookings/steps/limits.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { insertHeldBooking } from '../../bookings/store/bookings.ts'
import { copyGuest } from '../../bookings/store/guests.ts'
import { insertRequest, requestOf, updateRequestAnswer } from '../../bookings/store/requests.ts'
import type { DoneStep } from '../../bookings/store/transitions.ts'
import { attempt, type Db } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import { lockEntry, type WaitlistEntry } from '../store/queue.ts'
import { insertTurn } from '../store/turns.ts'
import type { OfferableSlot } from '../store/venue-slots.ts'

type OfferTerms = { freedBy: string | null; limits: Limits; at: Date }

/** Holds the first available of these slots for an entry; undefined if none is available. */
export async function offerFirstOf(
  tx: Db,
  entry: WaitlistEntry,
  choices: readonly OfferableSlot[],
  terms: OfferTerms,
): Promise<DoneStep | undefined> {
  for (const choice of choices) {
    const step = await offerSlotTo(tx, entry, choice, terms)
    if (step) return step
  }
}

/**
 * Holds a slot for an entry; the hold does not count towards the account's ten. Undefined, with
 * nothing changed, if the slot is taken, the account has given it back too often or the entry is no
 * longer waiting.
 */
const offerSlotTo = (
  tx: Db,
  { start: { entryId, ...about }, ...entry }: WaitlistEntry,
  choice: OfferableSlot,
  { freedBy, limits, at }: OfferTerms,
): Promise<DoneStep | undefined> =>
  attempt(tx, async () => {
    if (!(await lockEntry(tx, entryId))) return undefined
    const { slot } = choice
    const entrySlot = { ...about, venueId: entry.venue_id, slotTime: slot.slotTime }
    if (!(await mayBeOffered(tx, entrySlot, slot, { limits, at }))) return undefined
    const start: BookingStart = {
      ...about,
      bookingId: randomUUIDv7(),
      venueId: entry.venue_id,
      slotTime: slot.slotTime,
      startsAt: slot.startsAt.toISOString(),
      purpose: 'hold',
    }
    await insertRequest(tx, {
      ...requestOf(start),
      idempotency_key: null,
      body_hash: Buffer.from(entryId),
      natural_key: null,
      door: entry.door,
      from_agent: entry.from_agent,
      guest_ref: entry.guest_ref,
      guest: null,
      wish: about,
      at,
    })
    await copyGuest(tx, entryId, start.bookingId)
    const lasts = at.getTime() + entry.hold_seconds * 1000
    const holdUntil = new Date(Math.min(lasts, slot.startsAt.getTime()))
    const reason = waitlistOffers(holdUntil, start.timezone)
    const state = await insertHeldBooking(tx, start, choice, { holdUntil, reason, at })
    if (!(await takeInventory(tx, choice.service, claimOf(choice, start)))) return undefined
    const { bookingId, accountId } = start
    await insertTurn(tx, { entryId, holdId: bookingId, freedBy, at })
    const done = { result: state, events: await eventsOf(tx, entryId, bookingId) }
    return { accountId, bookingId, transitionId: 'hold', at, done }
  })

async function eventsOf(tx: Db, watch_id: string, hold_id: string): Promise<NewEvent[]> {
  const booking = await selectBooking(tx, hold_id)
  await updateRequestAnswer(tx, hold_id, { booking })
  const { venue, slot_time, timezone, party_size, service, hold_until, hold_until_local } = booking
  if (hold_until === null) throw new Error(`booking ${hold_id} is no hold`)
  const until = { hold_until, hold_until_local }
  const offer = { watch_id, hold_id, ...until, venue, slot_time, timezone, party_size, service }
  return [
    { type: 'booking.held', data: { booking } },
    { type: 'venue.availability_opened', data: offer },
  ]
}
