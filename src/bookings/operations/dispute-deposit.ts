import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { DISPUTE_DAYS } from '../rules/deposits.ts'
import { dispute } from '../schema/deposits.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'
import { insertDispute, selectOptionalDispute } from '../store/disputes.ts'
import * as fields from './booking-fields.ts'
import { bookingTimeline } from './booking-timeline.ts'

const output = z.object({ dispute })

export const disputeDeposit = defineOperation({
  name: 'dispute deposit',
  summary: 'Dispute a deposit that was kept',
  description:
    `Says that a deposit was wrongly kept, within ${DISPUTE_DAYS} days, for example because the ` +
    'guest came. The signed timeline of the booking is attached as it is now. An operator ' +
    'decides once, with a reason. Repeating the request answers the same dispute.',
  tier: 'free',
  scope: 'bookings',
  input: z.strictObject({
    id: fields.bookingId,
    reason: shared.text(1_000).describe('What happened, for the operator. No contact details'),
  }),
  output,
  errors: ['booking_not_found', 'nothing_to_dispute'],
  async run(ctx, { id, reason }) {
    const accountId = accountOf(ctx).id
    if (!(await selectOptionalBookingOf(ctx.db, accountId, id))) throw refuse('booking_not_found')
    const earlier = await selectOptionalDispute(ctx.db, accountId, id)
    if (earlier) return { dispute: earlier }
    await insertDispute(ctx.db, {
      ...{ id: randomUUIDv7(), accountId, bookingId: id, reason, at: ctx.at },
      evidence: await bookingTimeline.run(ctx, { id }),
      keptSince: new Date(ctx.at.getTime() - DISPUTE_DAYS * DAY_MS),
    })
    const opened = await selectOptionalDispute(ctx.db, accountId, id)
    if (!opened) throw refuse('nothing_to_dispute')
    return { dispute: opened }
  },
})

export const readDispute = defineOperation({
  name: 'dispute',
  summary: 'The dispute about a deposit',
  description: 'Answers the dispute about the deposit of a booking and, once made, its decision.',
  tier: 'free',
  input: z.strictObject({ id: fields.bookingId }),
  output,
  errors: ['booking_not_found', 'nothing_to_dispute'],
  async run(ctx, { id }) {
    const accountId = accountOf(ctx).id
    if (!(await selectOptionalBookingOf(ctx.db, accountId, id))) throw refuse('booking_not_found')
    const found = await selectOptionalDispute(ctx.db, accountId, id)
    if (!found) throw refuse('nothing_to_dispute', 'This booking has no dispute.')
    return { dispute: found }
  },
})
