import { upsertMirror } from '../../availability/store/mirror.ts'
import { refuse } from '../../base/errors.ts'
import type { BookingContext } from '../../bookings/engine.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import type { Services } from '../../contract/operation.ts'
import type { AvailabilityStatement, BookingStateStatement } from '../schema/venue-responses.ts'
import { selectOptionalStartAt } from '../store/booking-starts.ts'
import { insertStatedResponse } from '../store/venue-responses.ts'

/** A message that a venue sent on its own initiative; `id` is its webhook-id. */
type VenueMessage<S> = { venueId: string; id: string; receivedAt: Date; statement: S }

/**
 * Stores a venue's response about a booking, then announces it to the booking. A stored response is
 * never lost, so responses are accepted even while the booking engine is down: `undelivered` is why
 * one could not be announced, and the sweep announces it later. Throws `booking_not_found` for a
 * booking that this venue was never asked for.
 */
export async function receiveBookingState(
  { db, engine }: Pick<BookingContext, 'db' | 'engine'>,
  { venueId, id, receivedAt, statement }: VenueMessage<BookingStateStatement>,
) {
  const bookingId = statement.booking_id
  const start = await selectOptionalStartAt(db, venueId, bookingId, 'http')
  if (!start) throw refuse('booking_not_found', 'This venue was not asked for such a booking.')
  const isNew = await insertStatedResponse(db, { id, receivedAt }, statement)
  let undelivered: unknown
  if (isNew) {
    await engine.venueResponded(start, id).catch((error: unknown) => {
      undelivered = error
    })
  }
  const { status } = await selectBooking(db, bookingId)
  const answer = { received: true, booking_id: bookingId, booking_status: status } as const
  return { answer, ...(undelivered !== undefined && { undelivered }) }
}

/** Stores a venue's report of its availability. */
export async function receiveAvailability(
  { db }: Pick<Services, 'db'>,
  { venueId, statement }: VenueMessage<AvailabilityStatement>,
) {
  await upsertMirror(db, venueId, { ...statement, asOf: statement.as_of })
  return { received: true } as const
}
