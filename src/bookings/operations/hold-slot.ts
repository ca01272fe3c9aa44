import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { defineOperation } from '../../contract/operation.ts'
import { HOLD_MINUTES, MOST_HOLDS } from '../rules/booking.ts'
import * as fields from './booking-fields.ts'
import { openRequest } from './open-request.ts'

export const holdSlot = defineOperation({
  name: 'hold slot',
  summary: 'Hold a slot while you decide',
  description:
    `Holds a slot for ${HOLD_MINUTES} minutes, free of charge, until \`hold_until\`. Confirm it ` +
    'with its id as `hold_id`, extend it once, release it, or let it end by itself. ' +
    `At most ${MOST_HOLDS} at a time. Needs the pro tier.`,
  tier: 'pro',
  input: fields.slotRequest,
  output: z.object({
    status: z.enum(['held', 'pending']),
    ...fields.answered,
    joined: z.boolean().optional().describe('You already hold this slot: this is that hold'),
    next: shared.next,
  }),
  errors: [
    'venue_not_found',
    ...fields.slotRefusals,
    'slot_held',
    'hold_limit',
    'duplicate_booking',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx, { wait, idempotency_key: key, ...request }) {
    const opened = await openRequest(ctx, 'hold', request, { key, wait })
    if (opened.status) return opened
    const { id, hold_until } = opened.booking
    const next = `Confirm it before ${hold_until} with \`hold_id\` ${id}, or release it.`
    return { ...opened, status: 'held' as const, next }
  },
})
