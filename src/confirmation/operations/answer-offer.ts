import { z } from 'zod'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { resultOf, submitCommand } from '../../bookings/operations/submit-command.ts'
import * as shared from '../../contract/fields.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { booking } from '../../contract/public.ts'

const input = z.strictObject({
  id: fields.bookingId,
  idempotency_key: shared.idempotencyKey.optional(),
  wait: shared.wait,
})
const output = z.object({
  status: z.enum(['confirmed', 'declined', 'pending']),
  booking,
  replayed: shared.replayed.optional(),
  next: shared.next.optional(),
})
const errors = [
  'booking_not_found',
  'no_offer',
  'offer_expired',
  'already_final',
  'idempotency_mismatch',
  'booking_engine_unavailable',
] as const

export const acceptOffer = defineOperation({
  name: 'accept offer',
  summary: 'Take the other time that the venue offers',
  description:
    'Books the time in `offer` of a booking whose status is `offered`: it is kept for you until `offer.answer_by`. Needs the pro tier.',
  tier: 'pro',
  input,
  output,
  errors,
  run: (ctx, asked) => answer(ctx, 'accept_offer', asked),
})

export const refuseOffer = defineOperation({
  name: 'refuse offer',
  summary: 'Refuse the other time that the venue offers',
  description:
    'Ends a booking whose status is `offered`, free of charge. Its slot is free for others at once.',
  tier: 'pro',
  input,
  output,
  errors,
  run: (ctx, asked) => answer(ctx, 'refuse_offer', asked),
})

const answer = async (
  ctx: Context,
  kind: 'accept_offer' | 'refuse_offer',
  asked: z.output<typeof input>,
) =>
  resultOf(
    await submitCommand(ctx, { ...asked, kind }),
    kind === 'accept_offer' ? 'confirmed' : 'declined',
  )
