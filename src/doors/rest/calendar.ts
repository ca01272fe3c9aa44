import { type CalendarEntry, calendarFile } from '../../bookings/calendar-file.ts'
import { readCalendar } from '../../bookings/operations/read-calendar.ts'
import type { Capability, RestFile } from '../../contract/capability.ts'

const file: RestFile<CalendarEntry> = {
  type: calendarFile.type,
  nameOf: calendarFile.nameOf,
  render: (entry, publicUrl) => calendarFile.render(entry, publicUrl),
}

/** A booking as a calendar file: another form of what each door reads, so REST alone has it. */
export const calendarRoute = {
  operation: readCalendar,
  example: { id: '0197a1f0-0000-7000-8000-000000000000' },
  rest: { route: 'GET /api/bookings/{id}/calendar.ics', file },
  a2a: 'booking.calendar',
} as Capability
