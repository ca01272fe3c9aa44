import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { defineOperation } from '../../contract/operation.ts'
import { booking, cancellation } from '../../contract/public.ts'
import * as fields from './booking-fields.ts'
import { resultOf, submitCommand } from './submit-command.ts'

export const cancelBooking = defineOperation({
  name: 'cancel booking',
  summary: 'Cancel a booking',
  description:
    'Cancels a booking of the account, for the guest or for the agent. Until `cancel_until` it costs nothing; later it is cancelled ' +
    'all the same and the fee stays: reading the booking says so before, in `cancellation`. Cancelling twice changes nothing.',
  tier: 'free',
  input: z.strictObject({
    id: fields.bookingId,
    by: z.enum(['guest', 'agent']).default('agent').describe('Who wants it'),
    idempotency_key: shared.idempotencyKey.optional(),
    wait: shared.wait,
  }),
  output: z.object({
    status: z.enum(['cancelled', 'pending']),
    booking,
    cancellation: cancellation.optional(),
    replayed: shared.replayed.optional(),
    next: shared.next.optional(),
  }),
  errors: [
    'booking_not_found',
    'already_final',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx, { by, ...asked }) {
    const result = await submitCommand(ctx, { ...asked, kind: 'cancel', input: { by } })
    const { cancellation } = result.answer
    return { ...resultOf(result, 'cancelled'), ...(cancellation && { cancellation }) }
  },
})
