import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { event } from '../../webhooks/schema/events.ts'
import { selectEventsOfBooking } from '../../webhooks/store/ledger.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'
import * as fields from './booking-fields.ts'

export const bookingEvents = defineOperation({
  name: 'booking events',
  summary: 'The events of one booking',
  description:
    'Lists the events of a booking and its fee, oldest first. A request that was refused has none.',
  part: 'bookings',
  input: z.strictObject({ id: fields.bookingId }),
  output: z.object({ events: z.array(event) }),
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const accountId = accountOf(ctx).id
    if (!(await selectOptionalBookingOf(ctx.db, accountId, id))) throw refuse('booking_not_found')
    return { events: await selectEventsOfBooking(ctx.db, accountId, id) }
  },
})
