import {
  answers,
  byId,
  capability,
  commits,
  exampleId,
  prepares,
  reads,
  readsAgain,
} from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { createBookingEngine } from './engine.ts'
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
import { readCalendar } from './operations/read-calendar.ts'
import { changes, later, locationOf } from './operations/rest-answers.ts'
import { showOverdue } from './steps/booking-metrics.ts'
import { calendarFile } from './steps/calendar-file.ts'
import { bookingsOnClock } from './steps/clock-part.ts'
import { openBookings } from './steps/open-bookings.ts'
import {
  deliverCommands,
  eraseGuestDetails,
  eraseOldKeys,
  resumeLostBookings,
  type SweepDeps,
} from './steps/sweep.ts'

const slot = { venue_id: exampleId, slot_time: '2026-12-24T19:00:00', party_size: 2 }
const creates = (resource: string) =>
  answers(
    {
      200: 'The stored answer to an earlier request (`Idempotent-Replayed: true`), or its booking',
      201: resource,
      202: later,
    },
    locationOf,
  )

const file = {
  type: calendarFile.type,
  nameOf: ({ file_name }: { file_name: string }) => file_name,
  render: ({ calendar }: { calendar: string }) => calendar,
}

/** Excludes the guest’s link, with which anybody could cancel. */
const bookingColumns = [
  ...['id', 'status', 'venue.id', 'venue.slug', 'venue.name', 'slot_time', 'timezone'],
  ...['starts_at', 'ends_at', 'party_size', 'fee.amount_minor', 'fee.text', 'fee.currency'],
  ...['fee.pct', 'fee.status', 'reason_code', 'confirm_mode', 'cancel_until'],
  ...['cancel_until_local', 'cancelled_by', 'group_id', 'guest_ref', 'created_at', 'updated_at'],
]

const feeColumns = [
  ...['id', 'created_at', 'kind', 'booking_id', 'base_minor', 'base_text', 'pct', 'amount_minor'],
  ...['text', 'currency', 'is_demo', 'reverses', 'reversed_by', 'invoice_id'],
]

const capabilities = [
  capability(holdSlot, 'POST /api/holds', 'booking.hold', slot, {
    ...creates('Held'),
    mcp: prepares('hold_slot', 'hold'),
  }),
  capability(extendHold, 'POST /api/holds/{id}/extend', 'booking.extend', byId, {
    ...changes,
    mcp: prepares('hold_slot', 'extend'),
  }),
  capability(releaseHold, 'POST /api/holds/{id}/release', 'booking.release', byId, {
    ...changes,
    mcp: prepares('hold_slot', 'release'),
  }),
  capability(confirmBooking, 'POST /api/bookings', 'booking.confirm', slot, {
    ...creates('Booked'),
    mcp: commits('confirm_booking'),
  }),
  capability(getBooking, 'GET /api/bookings/{id}', 'booking.get', byId, {
    ...readsAgain,
    mcp: reads('get_booking', 'read'),
  }),
  capability(
    amendBooking,
    'PATCH /api/bookings/{id}',
    'booking.amend',
    { ...byId, party_size: 3, dry_run: true },
    { ...changes, mcp: commits('amend_booking') },
  ),
  capability(cancelBooking, 'POST /api/bookings/{id}/cancel', 'booking.cancel', byId, {
    ...changes,
    mcp: commits('cancel_booking'),
  }),
  capability(
    listBookings,
    'GET /api/bookings',
    'booking.list',
    { status: 'confirmed' },
    {
      csv: { list: 'bookings', columns: bookingColumns },
      mcp: reads('list_bookings'),
    },
  ),
  capability(bookingTimeline, 'GET /api/bookings/{id}/timeline', 'booking.timeline', byId, {
    mcp: reads('get_booking', 'timeline'),
  }),
  capability(readCalendar, 'GET /api/bookings/{id}/calendar.ics', 'booking.calendar', byId, {
    file,
    mcp: reads('get_booking', 'calendar'),
  }),
  capability(bookingEvents, 'GET /api/bookings/{id}/events', 'booking.events', byId, {
    mcp: reads('get_booking', 'events'),
  }),
  capability(
    listFees,
    'GET /api/fees',
    'fee.list',
    { month: '2026-12' },
    {
      csv: { list: 'entries', columns: feeColumns },
      mcp: reads('get_account', 'fees'),
    },
  ),
]

/** The life of a booking, and its fees. */
export const bookings = {
  name: 'bookings',
  capabilities,
  engine: createBookingEngine,
  clock: () => bookingsOnClock,
  openWork: openBookings,
  gauges: showOverdue,
  sweep: (deps: SweepDeps) => ({
    bookings: (at: Date) => resumeLostBookings(deps, at),
    commands: (at: Date) => deliverCommands(deps, at),
    'guest-details': (at: Date) => eraseGuestDetails(deps, at),
    'old-keys': (at: Date) => eraseOldKeys(deps, at),
  }),
  activities: {
    bookings: async () => (await import('../../activities/bookings.ts')).createBookingActivities,
  },
} as const satisfies Room
