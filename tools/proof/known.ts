import type { BookingStatus } from '../../src/bookings/rules/booking.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'

/** A booking that somebody saw, and how it stood then. */
export type Known = { start: BookingStart; status: BookingStatus }
