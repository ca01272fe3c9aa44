import { z } from 'zod'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { calendarEntry } from '../calendar-file.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'

export const readCalendar = defineOperation({
  name: 'booking calendar',
  summary: 'One booking as an iCalendar file',
  description:
    'Answers the booking as a calendar entry. Its UID stays the same and its SEQUENCE is the ' +
    'revision of the booking, so that importing it again moves or cancels the entry. Times are ' +
    'in UTC; it contains no guest details.',
  tier: 'free',
  input: z.strictObject({ id: z.uuid().describe('Booking id') }),
  output: calendarEntry,
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalBookingOf(ctx.db, accountOf(ctx).id, id)
    const place = found && (await selectOptionalVenue(ctx.db, found.venue.id))
    if (!found || !place) throw refuse('booking_not_found')
    return { booking: found, place }
  },
})
