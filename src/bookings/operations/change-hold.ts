import { z } from 'zod'
import { defineOperation } from '../../contract/operation.ts'
import type { BookingContext } from '../engine.ts'
import { HOLD_MINUTES } from '../rules/booking.ts'
import * as fields from './booking-fields.ts'
import { resultOf, submitCommand } from './submit-command.ts'

const input = z.strictObject({
  id: fields.bookingId.describe('Id of the hold'),
  ...fields.repeatable,
})
const output = z.object({ status: z.enum(['done', 'pending']), ...fields.answered })

export const extendHold = defineOperation({
  name: 'extend hold',
  summary: 'Keep a hold longer, once',
  description: `Extends a hold by ${HOLD_MINUTES} minutes; possible once, and only before it ends.`,
  tier: 'pro',
  scope: 'bookings',
  input,
  output,
  errors: [...fields.commandRefusals, 'already_extended', 'part_of_itinerary', 'hold_expired'],
  run: async (ctx: BookingContext, request) =>
    resultOf(await submitCommand(ctx, { ...request, kind: 'extend' }), 'done'),
})

export const releaseHold = defineOperation({
  name: 'release hold',
  summary: 'Release a held slot',
  description:
    'Ends a hold immediately, so that others can book the slot. A hold that has ended stays ' +
    'unchanged.',
  tier: 'free',
  scope: 'bookings',
  input,
  output,
  errors: fields.commandRefusals,
  run: async (ctx: BookingContext, request) =>
    resultOf(await submitCommand(ctx, { ...request, kind: 'release' }), 'done'),
})
