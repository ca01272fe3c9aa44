import { z } from 'zod'
import type { BookingStart, ConfirmAnswer } from '../model/booking-messages.ts'
import { Refusal, refuse } from '../model/errors.ts'
import { parseSlotTime, toInstant } from '../model/slot-time.ts'
import { booking } from '../schema/public.ts'
import { text } from '../schema/text.ts'
import { selectBooking } from '../store/booking-view.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { selectOptionalVenueRef } from '../store/venues.ts'
import { type Recorded, recordRequest } from './booking-request.ts'
import { accountOf, type Context, defineOperation } from './define.ts'

const input = z.strictObject({
  venue_id: z.uuid().toLowerCase().describe('`id` of a venue from search or listing'),
  slot_time: z
    .string()
    .max(40)
    .describe('Local date-time at the venue without offset, as in 2026-12-24T19:00:00')
    .meta({ examples: ['2026-12-24T19:00:00'] }),
  party_size: z.int32().describe('Number of guests'),
  guest: z
    .strictObject({
      name: text(200),
      phone: text(40).optional(),
      email: z.email().max(200).optional(),
    })
    .optional()
    .describe('Who comes. Given to the venue only, erased 90 days after the slot'),
  guest_ref: text(200)
    .optional()
    .describe('Your own reference for the guest; tells apart equal bookings for different guests'),
  notes: text(1000).optional().describe('For the venue: allergies, occasion, …'),
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters, no spaces')
    .optional()
    .describe('Repeat it to get the same answer instead of a second booking'),
  wait: z
    .int()
    .min(0)
    .max(60)
    .default(10)
    .describe('Seconds to wait for the final answer before answering `pending`'),
})

const output = z.object({
  status: z.enum(['confirmed', 'pending']),
  booking,
  replayed: z.boolean().optional().describe('This is the stored answer to an earlier request'),
  joined: z
    .boolean()
    .optional()
    .describe(
      'An equal request came in the last 15 minutes: this is its booking, not a second one',
    ),
  next: z.string().optional().describe('What to do while the answer is pending'),
})

export const confirmBooking = defineOperation({
  name: 'confirm booking',
  summary: 'Book a slot at a venue',
  description:
    'Books a table, class or treatment and answers with the confirmed booking. Take `venue_id` and `slot_time` from ' +
    'search results. Exactly one booking and one fee come of it, however often the same request is sent. ' +
    'A refusal names `alternatives`. Needs the pro tier.',
  tier: 'pro',
  input,
  output,
  errors: [
    'venue_not_found',
    'slot_time_has_offset',
    'slot_in_past',
    'slot_off_grid',
    'venue_closed',
    'lead_time',
    'beyond_horizon',
    'party_too_small',
    'party_too_large',
    'slot_unavailable',
    'duplicate_booking',
    'hold_expired',
    'venue_declined',
    'venue_no_answer',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx, { wait, idempotency_key = null, ...asked }) {
    const venue = await selectOptionalVenueRef(ctx.db, asked.venue_id)
    if (!venue) throw refuse('venue_not_found')
    const slot = localSlot(asked.slot_time, venue.timezone)
    const request = await recordRequest(ctx, asked, slot, idempotency_key)
    const start = {
      bookingId: request.bookingId,
      accountId: accountOf(ctx).id,
      venueId: venue.id,
      venueSlug: venue.slug,
      venueName: venue.name,
      slotTime: slot.local,
      timezone: venue.timezone,
      startsAt: slot.startsAt.toISOString(),
      partySize: asked.party_size,
    }
    const answer = request.answer ?? (await awaitAnswer(ctx, start, wait))
    return answer ? presentAnswer(request, answer) : presentPending(ctx, request)
  },
})

/** The slot in normal form. A local time that a change of clocks skips is no slot. */
function localSlot(text: string, timezone: string): { local: string; startsAt: Date } {
  const parsed = parseSlotTime(text)
  if ('problem' in parsed) {
    if (parsed.problem === 'offset') throw refuse('slot_time_has_offset', undefined, { timezone })
    const detail = 'expected a local date-time as in 2026-12-24T19:00:00'
    throw refuse('invalid_request', `slot_time: ${detail}.`, {
      errors: [{ pointer: '/slot_time', detail }],
    })
  }
  const startsAt = toInstant(timezone, parsed.local)
  if (!startsAt) throw refuse('slot_off_grid', `${parsed.local} does not exist in ${timezone}.`)
  return { local: parsed.local, startsAt }
}

/** The answer within `wait` seconds, or the one that was stored just as they ended; null when there is none yet. */
async function awaitAnswer(ctx: Context, start: BookingStart, wait: number) {
  const answer = await ctx.engine.confirm(start, wait)
  return answer === 'pending' ? selectOptionalAnswer(ctx.db, start.bookingId) : answer
}

async function presentPending(ctx: Context, { bookingId }: Recorded) {
  const next = `Read the booking ${bookingId} in a few seconds, or repeat this request to wait for it.`
  return { status: 'pending' as const, booking: await selectBooking(ctx.db, bookingId), next }
}

function presentAnswer({ repeats }: Recorded, answer: ConfirmAnswer) {
  const flags = {
    ...(repeats === 'key' && { replayed: true }),
    ...(repeats === 'equal request' && { joined: true }),
  }
  if ('refusal' in answer) {
    const { refusal } = answer
    throw new Refusal({ ...refusal, facts: { ...refusal.facts, ...flags } })
  }
  return { status: 'confirmed' as const, booking: booking.parse(answer.booking), ...flags }
}
