import type { BookingStatus } from '../../src/base/booking-status.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'

/** A booking and the status last seen of it. */
export type KnownBooking = { start: BookingStart; status: BookingStatus }
