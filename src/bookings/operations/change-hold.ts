import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { booking } from '../../contract/public.ts'
import { HOLD_MINUTES } from '../rules/booking.ts'
import * as fields from './booking-fields.ts'
import { resultOf, submitCommand } from './submit-command.ts'

const input = z.strictObject({
  id: fields.bookingId.describe('Id of the hold'),
  idempotency_key: shared.idempotencyKey.optional(),
  wait: shared.wait,
})
const output = z.object({
  status: z.enum(['done', 'pending']),
  booking,
  replayed: shared.replayed.optional(),
  next: shared.next.optional(),
})

export const extendHold = defineOperation({
  name: 'extend hold',
  summary: 'Keep a hold longer, once',
  description: `Lets a hold last ${HOLD_MINUTES} minutes longer; possible once, and only before it ends.`,
  tier: 'pro',
  input,
  output,
  errors: [
    'booking_not_found',
    'already_extended',
    'part_of_itinerary',
    'hold_expired',
    'already_final',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  run: (ctx, asked) => change(ctx, 'extend', asked),
})

export const releaseHold = defineOperation({
  name: 'release hold',
  summary: 'Give a held slot back',
  description:
    'Ends a hold at once, so that others can book the slot. A hold that has ended already stays ended.',
  tier: 'pro',
  input,
  output,
  errors: [
    'booking_not_found',
    'already_final',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  run: (ctx, asked) => change(ctx, 'release', asked),
})

const change = async (ctx: Context, kind: 'extend' | 'release', asked: z.output<typeof input>) =>
  resultOf(await submitCommand(ctx, { ...asked, kind }), 'done')
