import { z } from 'zod'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { refuse } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { calendarFile } from '../steps/calendar-file.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'

export const readCalendar = defineOperation({
  name: 'booking calendar',
  summary: 'One booking as an iCalendar file',
  description:
    'Returns the booking as a calendar file: over REST the file itself, elsewhere its text. ' +
    'Its UID stays the same and its SEQUENCE is the revision of the booking, so that importing ' +
    'it again moves or cancels the entry. Times are in UTC; it contains no guest details.',
  part: 'bookings',
  input: z.strictObject({ id: z.uuid().describe('Booking id') }),
  output: z.object({
    file_name: z.string(),
    media_type: z.string(),
    calendar: z.string().describe('The text of the file, RFC 5545'),
  }),
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const booking = await selectOptionalBookingOf(ctx.db, accountOf(ctx).id, id)
    const place = booking && (await selectOptionalVenue(ctx.db, booking.venue.id, null))
    if (!booking || !place) throw refuse('booking_not_found')
    const entry = { booking, place }
    return {
      file_name: calendarFile.nameOf(entry),
      media_type: calendarFile.type,
      calendar: calendarFile.render(entry, ctx.settings.publicUrl),
    }
  },
})
