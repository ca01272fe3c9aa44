import type { BookingStatus } from '../../src/base/booking-status.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'

/** A booking, and its status when last seen. */
export type KnownBooking = { start: BookingStart; status: BookingStatus }
