import { z } from 'zod'
import { defineOperation } from '../../contract/operation.ts'
import { cancellation } from '../../contract/public.ts'
import type { BookingContext } from '../engine.ts'
import * as fields from './booking-fields.ts'
import { resultOf, submitCommand } from './submit-command.ts'

export const cancelBooking = defineOperation({
  name: 'cancel booking',
  summary: 'Cancel a booking',
  description:
    'Cancels a booking of the account, for the guest or for the agent. It is free until ' +
    '`cancel_until`; after that the booking is still cancelled, but the fee stays. Reading the ' +
    'booking first shows the cost in `cancellation`. Cancelling twice changes nothing.',
  tier: 'free',
  scope: 'bookings',
  input: z
    .strictObject({ id: fields.bookingId, by: fields.cancelledBy, ...fields.repeatable })
    .meta({ id: 'CancelBody' }),
  output: z.object({
    status: z.enum(['cancelled', 'pending']),
    ...fields.answered,
    cancellation: cancellation.optional(),
  }),
  errors: fields.commandRefusals,
  async run(ctx: BookingContext, { by, ...command }) {
    const result = await submitCommand(ctx, { ...command, kind: 'cancel', input: { by } })
    const { cancellation } = result.answer
    return { ...resultOf(result, 'cancelled'), ...(cancellation && { cancellation }) }
  },
})
