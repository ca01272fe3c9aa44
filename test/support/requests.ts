import { randomUUIDv7 } from 'node:crypto'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { insertRequest, requestOf } from '../../src/bookings/store/requests.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

/** Stores a request for two, at a real venue in three days; returns the workflow's start. */
export async function requestDaysAhead(
  db: Pool,
  { purpose, at = new Date() }: { purpose?: 'hold'; at?: Date } = {},
): Promise<BookingStart> {
  const { rows } = await db.query(
    `select v.id, v.slug, v.name, a.timezone from venue v join area a on a.slug = v.area_slug
     where v.category = 'restaurant' order by v.slug limit 1`,
  )
  const venue = rows[0]
  await db.query('update venue set is_demo = false where id = $1', [venue.id])
  const from = new Date(at.getTime() + 3 * DAY_MS)
  const question = { at, from, partySize: 2, count: 1, feePct: 2.5 }
  const slot = (await selectNextSlots(db, [venue], question)).get(venue.id)?.slots[0]
  if (!slot) throw new Error('no slot three days ahead')
  const accountId = randomUUIDv7()
  await db.query(
    `insert into account (id, name, tier, created_at) values ($1, 'x', 'pro', now())`,
    [accountId],
  )
  const start = {
    bookingId: randomUUIDv7(),
    accountId,
    venueId: venue.id,
    venueSlug: venue.slug,
    venueName: venue.name,
    slotTime: slot.slot_time,
    timezone: venue.timezone,
    startsAt: slot.starts_at,
    partySize: 2,
    ...(purpose && { purpose }),
  }
  await writeRequest(db, start, at)
  return start
}

/** Stores a booking's request, which is a door's first step. */
export async function writeRequest(
  db: Pool,
  start: Pick<
    BookingStart,
    'bookingId' | 'accountId' | 'venueId' | 'slotTime' | 'partySize' | 'purpose'
  >,
  at: Date,
): Promise<void> {
  await insertRequest(db, {
    ...requestOf(start),
    idempotency_key: start.bookingId,
    body_hash: Buffer.from(start.bookingId),
    natural_key: Buffer.from(start.bookingId),
    door: 'rest',
    from_agent: null,
    guest_ref: null,
    also: true,
    guest: null,
    at,
  })
}
