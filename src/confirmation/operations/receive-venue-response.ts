import { upsertMirror } from '../../availability/store/mirror.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import type { Services } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { AvailabilityStatement, BookingStateStatement } from '../schema/venue-responses.ts'
import { selectOptionalAskedStart } from '../store/booking-starts.ts'
import { insertStatedResponse } from '../store/venue-responses.ts'

/** A message that a venue sent by itself: docs/protocols/venue-connector.md. `id` is its webhook-id. */
export type VenueMessage<S> = { venueId: string; id: string; receivedAt: Date; statement: S }

/** What the venue is told: the status is the booking's as the network has it at this moment. */
export type Received = { received: true; booking_id: string; booking_status: string }

/**
 * Writes down what a venue says of a booking, then tells the booking. Once written it is not lost, so a booking engine that
 * does not answer is no reason to refuse. `undelivered` is why it could not be told; the sweep will do so.
 * Throws `booking_not_found` for a booking that this venue was never asked for.
 */
export async function receiveBookingState(
  { db, engine }: Pick<Services, 'db' | 'engine'>,
  { venueId, id, receivedAt, statement }: VenueMessage<BookingStateStatement>,
): Promise<{ answer: Received; undelivered?: unknown }> {
  const bookingId = statement.booking_id
  const start = await selectOptionalAskedStart(db, venueId, bookingId)
  if (!start) throw refuse('booking_not_found', 'This venue was not asked for such a booking.')
  const isNew = await insertStatedResponse(db, { id, receivedAt }, statement)
  const undelivered = isNew ? await tell(() => engine.venueResponded(start)) : undefined
  const { status } = await selectBooking(db, bookingId)
  const answer = { received: true, booking_id: bookingId, booking_status: status } as const
  return { answer, ...(undelivered !== undefined && { undelivered }) }
}

async function tell(deliver: () => Promise<void>): Promise<unknown> {
  try {
    await deliver()
    return undefined
  } catch (error) {
    return error
  }
}

/** Takes over what a venue says to be free. */
export async function receiveAvailability(
  { db }: Pick<Services, 'db'>,
  { venueId, statement }: VenueMessage<AvailabilityStatement>,
): Promise<{ received: true }> {
  await upsertMirror(db, venueId, { ...statement, asOf: statement.as_of })
  return { received: true }
}
