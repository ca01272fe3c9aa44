import { freeSlots } from './availability.ts'
import type { Book, Booking } from './book.ts'
import type { AvailabilityState, BookingState, VenueMessage } from './messages.ts'
import type { Faults } from './script.ts'
import { datesBetween, localNow } from './slots.ts'

/** Days in an availability report. */
const WINDOW_DAYS = 14

/** The venue's response about a booking, or about its latest amendment. */
export function bookingState(booking: Booking): BookingState {
  const { booking_id, reference } = booking
  const { revision, status, answered_at, reason } = booking.change ?? booking
  return { type: 'booking.state', booking_id, revision, status, answered_at, reference, reason }
}

/** The venue's report on whether the guests came; the booking itself stays unchanged. */
export const visitState = (booking: Booking, attended: boolean): BookingState => ({
  ...bookingState(booking),
  status: attended ? 'attended' : 'no_show',
  answered_at: new Date().toISOString(),
  reason: null,
})

/** The venue's response about an unknown booking. */
export const unknownState = (bookingId: string): BookingState => ({
  type: 'booking.state',
  booking_id: bookingId,
  revision: 0,
  status: 'unknown',
  answered_at: new Date().toISOString(),
  reference: null,
  reason: null,
})

/** Availability on these dates, as of now. */
export function availabilityState(
  book: Book,
  venueId: string,
  from: string,
  to: string,
): AvailabilityState {
  const venue = book.venue(venueId)
  venue.lastAsOf = Math.max(Date.now(), venue.lastAsOf + 1)
  const as_of = new Date(venue.lastAsOf).toISOString()
  const slots = freeSlots(venue, from, to, new Date())
  return { type: 'availability.state', venue_id: venueId, from, to, as_of, slots }
}

/** Availability from the venue's current date on. */
export function availabilityFromToday(book: Book, venueId: string): AvailabilityState {
  const today = localNow(book.venue(venueId).timezone ?? 'UTC', new Date()).slice(0, 10)
  const end = new Date(Date.parse(today) + (WINDOW_DAYS - 1) * 86_400_000)
  return availabilityState(book, venueId, today, end.toISOString().slice(0, 10))
}

/** Whether the dates are in order and span at most 14 days. */
export function isWindow(from: string, to: string): boolean {
  const last = Date.parse(from) + (WINDOW_DAYS - 1) * 86_400_000
  return from <= to && Date.parse(to) <= last && datesBetween(from, to).length > 0
}

/** The response, distorted as scripted. */
export function withFaults(message: VenueMessage, faults: Faults): VenueMessage {
  const { revision_offset = 0, backdate_ms = 0 } = faults
  const earlier = (at: string) => new Date(Date.parse(at) - backdate_ms).toISOString()
  if (message.type === 'availability.state') return { ...message, as_of: earlier(message.as_of) }
  const revision = message.revision + revision_offset
  return { ...message, revision, answered_at: earlier(message.answered_at) }
}
