import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { BookingStatus } from '../../src/contract/rules/booking-status.ts'

/** A booking that somebody saw, and how it stood then. */
export type Known = { start: BookingStart; status: BookingStatus }
