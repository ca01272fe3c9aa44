import { randomUUIDv7 } from 'node:crypto'
import type { Wish } from '../../src/availability/rules/service-terms.ts'
import type { RefusalData } from '../../src/base/errors.ts'
import { toInstantPastGap } from '../../src/base/local-time.ts'
import type { BookingState } from '../../src/bookings/rules/booking-messages.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { writeRequest } from './requests.ts'

type Wanted = {
  venue: { id: string; slug: string; name: string; timezone: string }
  slotTime: string
  partySize: number
  at: Date
  bookingId?: string
  wish?: Wish
}

/** Opens a booking for a new account as its workflow would: held, or refused. */
export async function holdSlot(
  db: Pool,
  { venue, slotTime, partySize, at, bookingId = randomUUIDv7(), wish = {} }: Wanted,
): Promise<BookingState | { refusal: RefusalData }> {
  const accountId = randomUUIDv7()
  await db.query(
    `insert into account (id, name, tier, created_at) values ($1, 'test', 'pro', $2)`,
    [accountId, at],
  )
  const asked = { bookingId, accountId, venueId: venue.id, slotTime, partySize }
  await writeRequest(db, asked, at)
  const { timezone } = venue
  const startsAt = toInstantPastGap(timezone, slotTime).toISOString()
  const start = {
    ...asked,
    venueSlug: venue.slug,
    venueName: venue.name,
    timezone,
    startsAt,
    ...wish,
  }
  const { answer, state } = await openBooking(db, start, at)
  if (state) return state
  if (answer && 'refusal' in answer) return answer
  throw new Error('neither held nor refused')
}
