import type { BookingStatus } from '../src/model/booking.ts'
import type { BookingStart } from '../src/model/booking-messages.ts'

/** A booking that somebody saw, and how it stood then. */
export type Known = { start: BookingStart; status: BookingStatus }
