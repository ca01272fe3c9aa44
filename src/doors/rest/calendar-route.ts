import { type CalendarEntry, readCalendar } from '../../bookings/operations/read-calendar.ts'
import type { Capability, RestFile } from '../../contract/capability.ts'
import { icalendarOf } from './icalendar.ts'

const file: RestFile<CalendarEntry> = {
  // RFC 5545, 8.1
  type: 'text/calendar; charset=utf-8',
  nameOf: ({ booking }) => `booking-${booking.id}.ics`,
  render: (entry, publicUrl) => icalendarOf(entry, new URL(publicUrl).hostname),
}

/** A booking as a calendar file: another form of what every door reads, so it is at REST alone and not in the catalogue. */
export const calendarRoute = {
  operation: readCalendar,
  example: { id: '0197a1f0-0000-7000-8000-000000000000' },
  rest: { route: 'GET /api/bookings/{id}/calendar.ics', file },
  a2a: 'booking.calendar',
} as Capability
