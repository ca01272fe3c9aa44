import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { SECOND_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { claimOptionalVenueRequest } from '../../src/confirmation/store/venue-requests.ts'
import { insertStatedResponse } from '../../src/confirmation/store/venue-responses.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { requestDaysAhead } from './requests.ts'
import { stepDeps } from './terms.ts'

/** The time this many seconds later. */
export const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * SECOND_MS)

/** Restaurants are not demo venues, and confirm through systems of their own. */
export async function connectAll(db: Pool): Promise<void> {
  const { rows } = await db.query(
    `update venue set is_demo = false where category = 'restaurant' returning id`,
  )
  const connector = { url: 'https://venue.example/', secret: 'never opened here' }
  for (const { id } of rows) await upsertConnector(db, { venueId: id, ...connector }, new Date())
}

/** Stores a statement by the venue’s system. */
export const say = (
  db: Pool,
  { bookingId }: BookingStart,
  status: 'confirmed' | 'cancelled',
  at: Date,
  revision = 2,
) =>
  insertStatedResponse(
    db,
    { id: `msg_${randomUUID()}`, receivedAt: at },
    { type: 'booking.state', booking_id: bookingId, revision, status, answered_at: at },
  )

/** A booking confirmed by its venue's own system. */
export async function confirmedByVenue(db: Pool) {
  const at = new Date()
  const start = await requestDaysAhead(db, { at })
  await decideBooking(db, start, stepDeps, at)
  await claimOptionalVenueRequest(db, start.bookingId)
  await say(db, start, 'confirmed', later(at, 1))
  const { state } = await applyVenueResponses(db, start, stepDeps, later(at, 1))
  expect(state?.status).toBe('confirmed')
  return { start, at }
}
