import ical, { ICalEventStatus } from 'ical-generator'
import { type CalendarEntry, readCalendar } from '../../bookings/operations/read-calendar.ts'
import type { Capability, RestFile } from '../../contract/capability.ts'
import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import { networkProfile } from '../../contract/rules/network.ts'

const file: RestFile<CalendarEntry> = {
  // RFC 5545, 8.1
  type: 'text/calendar; charset=utf-8',
  nameOf: ({ booking }) => `booking-${booking.id}.ics`,
  render: (entry, publicUrl) => icalendarOf(entry, new URL(publicUrl).hostname),
}

/** A booking as a calendar file: another form of what each door reads, so REST alone has it. */
export const calendarRoute = {
  operation: readCalendar,
  example: { id: '0197a1f0-0000-7000-8000-000000000000' },
  rest: { route: 'GET /api/bookings/{id}/calendar.ics', file },
  a2a: 'booking.calendar',
} as Capability

const { TENTATIVE, CONFIRMED, CANCELLED } = ICalEventStatus

// RFC 5545, 3.8.1.11
const statusOf: Record<BookingStatus, ICalEventStatus> = {
  held: TENTATIVE,
  pending: TENTATIVE,
  offered: TENTATIVE,
  confirmed: CONFIRMED,
  completed: CONFIRMED,
  no_show: CONFIRMED,
  declined: CANCELLED,
  expired: CANCELLED,
  released: CANCELLED,
  cancelled: CANCELLED,
  failed: CANCELLED,
}

// No METHOD, as it would require an ORGANIZER (RFC 5546, 3.2.1). DTSTAMP is the last change, so
// that the same state has the same bytes.
function icalendarOf({ booking, place }: CalendarEntry, host: string): string {
  const { id, venue, status, party_size, slot_time, timezone } = booking
  const guests = party_size === 1 ? '1 guest' : `${party_size} guests`
  const local = `${slot_time.slice(0, 16).replace('T', ' ')} at the venue (${timezone})`
  const calendar = ical({ prodId: `//${networkProfile.name}//Bookings//EN` })
  calendar.createEvent({
    id: `${id}@${host}`,
    sequence: booking.revision,
    status: statusOf[status],
    stamp: booking.updated_at,
    created: booking.created_at,
    lastModified: booking.updated_at,
    start: new Date(booking.starts_at),
    end: booking.ends_at === null ? null : new Date(booking.ends_at),
    summary: `${venue.name}, ${guests}`,
    description: `Booking ${id}: ${status}. ${local}.`,
    location: {
      title: [...new Set([venue.name, place.area, place.city, place.country])].join(', '),
      geo: { lat: place.latitude, lon: place.longitude },
    },
  })
  return calendar.toString()
}
