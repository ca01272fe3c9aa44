import {
  books,
  type Capability,
  cancels,
  capability,
  changes,
  creates,
  reads,
} from '../contract/capability.ts'
import { amendBooking } from './operations/amend-booking.ts'
import { bookingEvents } from './operations/booking-events.ts'
import { bookingTimeline } from './operations/booking-timeline.ts'
import { cancelBooking } from './operations/cancel-booking.ts'
import { extendHold, releaseHold } from './operations/change-hold.ts'
import { confirmBooking } from './operations/confirm-booking.ts'
import { getBooking } from './operations/get-booking.ts'
import { holdSlot } from './operations/hold-slot.ts'
import { listBookings } from './operations/list-bookings.ts'
import { listFees } from './operations/list-fees.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** The life of a booking, and its fees. */
export const bookingCapabilities: readonly Capability[] = [
  capability({
    operation: holdSlot,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: { route: 'POST /api/holds', ...creates('Held') },
    a2a: 'booking.hold',
  }),
  capability({
    operation: extendHold,
    example: { id: exampleId },
    rest: { route: 'POST /api/holds/{id}/extend', ...changes },
    a2a: 'booking.extend',
  }),
  capability({
    operation: releaseHold,
    example: { id: exampleId },
    rest: { route: 'POST /api/holds/{id}/release', ...changes },
    a2a: 'booking.release',
  }),
  capability({
    operation: confirmBooking,
    example: { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 },
    rest: { route: 'POST /api/bookings', ...creates('Booked') },
    a2a: 'booking.confirm',
    mcp: { tool: 'confirm_booking', annotations: books },
  }),
  capability({
    operation: getBooking,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}' },
    a2a: 'booking.get',
    mcp: { tool: 'get_booking', annotations: reads },
  }),
  capability({
    operation: amendBooking,
    example: { id: exampleId, party_size: 3, dry_run: true },
    rest: { route: 'PATCH /api/bookings/{id}', ...changes },
    a2a: 'booking.amend',
  }),
  capability({
    operation: cancelBooking,
    example: { id: exampleId },
    rest: { route: 'POST /api/bookings/{id}/cancel', ...changes },
    a2a: 'booking.cancel',
    mcp: { tool: 'cancel_booking', annotations: cancels },
  }),
  capability({
    operation: listBookings,
    example: { status: 'confirmed' },
    rest: { route: 'GET /api/bookings' },
    a2a: 'booking.list',
  }),
  capability({
    operation: bookingTimeline,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}/timeline' },
    a2a: 'booking.timeline',
  }),
  capability({
    operation: bookingEvents,
    example: { id: exampleId },
    rest: { route: 'GET /api/bookings/{id}/events' },
    a2a: 'booking.events',
  }),
  capability({
    operation: listFees,
    example: { month: '2026-12' },
    rest: { route: 'GET /api/fees' },
    a2a: 'fee.list',
  }),
]
