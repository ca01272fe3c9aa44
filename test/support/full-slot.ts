import { randomUUIDv7 } from 'node:crypto'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { reasons } from '../../src/bookings/rules/timeline-reasons.ts'
import { end } from '../../src/bookings/steps/end-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { makeKey } from './agent.ts'
import { writeRequest } from './requests.ts'
import { stepDeps } from './terms.ts'

/** A slot three days ahead, and the bookings that leave no room for a party of this size. */
export type FullSlot = {
  slot: Omit<BookingStart, 'bookingId' | 'accountId' | 'purpose'>
  holders: BookingStart[]
}

/** Fills a slot at a venue in this category with unconfirmed bookings from this many accounts. */
export async function fillSlot(
  db: Pool,
  { category, partySize, atLeast = 1 }: { category: string; partySize: number; atLeast?: number },
): Promise<FullSlot> {
  const { rows } = await db.query(
    `select v.id, v.slug, v.name, a.timezone from venue v join area a on a.slug = v.area_slug
     where v.category = $1 and v.confirm_mode = 'auto' order by v.slug`,
    [category],
  )
  const at = new Date()
  const from = new Date(at.getTime() + 3 * DAY_MS)
  for (const venue of rows) {
    const question = { at, from, partySize, count: 1, feePct: 2.5 }
    const found = (await selectNextSlots(db, [venue], question)).get(venue.id)?.slots[0]
    if (!found || (found.places_left ?? 0) < atLeast * (category === 'gym' ? partySize : 1))
      continue
    const slot = {
      venueId: venue.id,
      venueSlug: venue.slug,
      venueName: venue.name,
      slotTime: found.slot_time,
      timezone: venue.timezone,
      startsAt: found.starts_at,
      partySize,
    }
    const holders = await fillRest(db, slot, at)
    // These bookings must not be continued by a workflow.
    await db.query(`update booking set next_action_at = now() + interval '1 day'
                    where status = 'held' and hold_until is null`)
    return { slot, holders }
  }
  throw new Error(`no ${category} has a slot for ${atLeast} parties of ${partySize}`)
}

/** Takes the rest of a slot, with held bookings from new accounts. */
export async function fillRest(
  db: Pool,
  slot: FullSlot['slot'],
  at: Date,
): Promise<BookingStart[]> {
  const holders: BookingStart[] = []
  for (;;) {
    const { accountId } = await makeKey(db, 'pro')
    const start = { ...slot, bookingId: randomUUIDv7(), accountId }
    await writeRequest(db, start, at)
    const { state } = await openBooking(db, start, at)
    if (!state) return holders
    holders.push(start)
  }
}

/** Releases what an unconfirmed booking holds. */
export const releaseBooking = (
  db: Pool,
  { bookingId, accountId }: Pick<BookingStart, 'bookingId' | 'accountId'>,
  at = new Date(),
) =>
  stepOnce(db, { bookingId, accountId, transitionId: 'give back', at }, async (tx) =>
    end(
      tx,
      await selectBookingForUpdate(tx, bookingId),
      { to: 'released', nextActionAt: null, ...reasons.agentWants },
      { ...stepDeps, at },
    ),
  )
