import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { BookingStatus } from '../../src/contract/rules/booking-status.ts'

/** A booking and the status last seen of it. */
export type KnownBooking = { start: BookingStart; status: BookingStatus }
