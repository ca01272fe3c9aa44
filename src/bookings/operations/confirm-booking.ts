import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { booking } from '../../contract/public.ts'
import { invalidRequest } from '../../contract/rules/errors.ts'
import * as fields from './booking-fields.ts'
import { openRequest } from './open-request.ts'
import { resultOf, submitCommand } from './submit-command.ts'

const input = z.strictObject({
  venue_id: fields.venueId.optional(),
  slot_time: fields.slotTime.optional(),
  party_size: fields.partySize.optional(),
  hold_id: fields.bookingId
    .optional()
    .describe('Confirms this hold, instead of `venue_id`, `slot_time` and `party_size`'),
  guest: fields.guest.optional(),
  guest_ref: fields.guestRef.optional(),
  notes: fields.notes.optional(),
  reminders: fields.reminders.optional(),
  idempotency_key: shared.idempotencyKey.optional(),
  wait: shared.wait,
})

const output = z.object({
  status: z.enum(['confirmed', 'pending']),
  booking,
  replayed: shared.replayed.optional(),
  joined: z
    .boolean()
    .optional()
    .describe(
      'An equal request came in the last 15 minutes: this is its booking, not a second one',
    ),
  next: shared.next.optional(),
})

export const confirmBooking = defineOperation({
  name: 'confirm booking',
  summary: 'Book a slot at a venue, or confirm a hold',
  description:
    'Books a table, class or treatment and answers with the confirmed booking. Take `venue_id` and `slot_time` from ' +
    'search results, and say `party_size`; or give the `hold_id` of a slot that you hold. Exactly one booking and one fee ' +
    'come of it, however often the same request is sent. A refusal names `alternatives`. Needs the pro tier.',
  tier: 'pro',
  input,
  output,
  errors: [
    'venue_not_found',
    'booking_not_found',
    ...fields.slotRefusals,
    'slot_held',
    'duplicate_booking',
    'part_of_itinerary',
    'hold_expired',
    'already_final',
    'booking_cancelled',
    'venue_declined',
    'venue_no_answer',
    'offer_expired',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx, { wait, idempotency_key: key, hold_id, ...asked }) {
    if (hold_id !== undefined) {
      return confirmHold(ctx, { ...asked, id: hold_id, idempotency_key: key, wait })
    }
    const first = wholeSlot(asked)
    const opened = await openRequest(ctx, 'confirm', first, { key, wait })
    return opened.status ? opened : { ...opened, status: 'confirmed' as const }
  },
})

type Slot = Pick<z.output<typeof input>, 'venue_id' | 'slot_time' | 'party_size'>

/** The input with venue, time and party size; throws `invalid_request` when one is missing. */
export function wholeSlot<S extends Slot>({ venue_id, slot_time, party_size, ...rest }: S) {
  if (venue_id === undefined || slot_time === undefined || party_size === undefined) {
    const missing = Object.entries({ venue_id, slot_time, party_size })
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({ pointer: `/${name}`, detail: 'is required unless `hold_id` is given' }))
    throw invalidRequest(missing)
  }
  return { venue_id, slot_time, party_size, ...rest }
}

type HoldDetails = Omit<z.output<typeof input>, 'hold_id'> & { id: string }

/**
 * Slot, party size and reference are those of the hold; guest, notes and reminders may be added.
 */
async function confirmHold(
  ctx: Context,
  { id, guest, notes, reminders, idempotency_key, wait, ...fixed }: HoldDetails,
) {
  const twice = Object.entries(fixed)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ pointer: `/${name}`, detail: 'is given by the hold: leave it out' }))
  if (twice.length > 0) throw invalidRequest(twice)
  const result = await submitCommand(ctx, {
    id,
    kind: 'confirm',
    ...(reminders && { input: { reminders } }),
    guest: { guest, notes },
    idempotency_key,
    wait,
  })
  return resultOf(result, 'confirmed')
}
