import { z } from 'zod'
import type { BookingContext } from '../../bookings/engine.ts'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { resultOf, submitCommand } from '../../bookings/operations/submit-command.ts'
import { defineOperation } from '../../contract/operation.ts'

const input = z.strictObject({ id: fields.bookingId, ...fields.repeatable })
const output = z.object({
  status: z.enum(['confirmed', 'declined', 'pending']),
  ...fields.answered,
})
const errors = [...fields.commandRefusals, 'no_offer', 'offer_expired'] as const

export const acceptOffer = defineOperation({
  name: 'accept offer',
  summary: 'Accept the other time that the venue offers',
  description:
    'Books the time in `offer` of a booking whose status is `offered`: it is held for you until ' +
    '`offer.answer_by`. Needs pro or a saved card.',
  tier: 'pro',
  scope: 'bookings',
  input,
  output,
  errors,
  run: async (ctx: BookingContext, request) =>
    resultOf(await submitCommand(ctx, { ...request, kind: 'accept_offer' }), 'confirmed'),
})

export const refuseOffer = defineOperation({
  name: 'refuse offer',
  summary: 'Refuse the other time that the venue offers',
  description:
    'Ends a booking whose status is `offered`, free of charge. Its slot is released immediately.',
  tier: 'pro',
  scope: 'bookings',
  input,
  output,
  errors,
  run: async (ctx: BookingContext, request) =>
    resultOf(await submitCommand(ctx, { ...request, kind: 'refuse_offer' }), 'declined'),
})
