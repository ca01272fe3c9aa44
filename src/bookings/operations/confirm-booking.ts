import { z } from 'zod'
import { wishFields } from '../../availability/operations/wanted-service.ts'
import { invalidRequest } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import type { BookingContext } from '../engine.ts'
import { cancelNotes, venueNotes } from '../rules/cost-notes.ts'
import { selectConfirmer } from '../store/commands.ts'
import { hasOtherGuestRef } from '../store/holds.ts'
import * as fields from './booking-fields.ts'
import { type Opened, openRequest, saidFirst, undecided } from './open-request.ts'
import { resultOf, submitCommand } from './submit-command.ts'

const input = z.strictObject({
  venue_id: fields.venueId.optional(),
  slot_time: fields.slotTime.optional(),
  party_size: fields.partySize.optional(),
  hold_id: fields.bookingId
    .optional()
    .describe('Confirms this hold, instead of `venue_id`, `slot_time` and `party_size`'),
  ...wishFields,
  ...fields.details,
})
type Input = z.output<typeof input>

export const confirmBooking = defineOperation({
  name: 'confirm booking',
  summary: 'Book a slot at a venue, or confirm a hold',
  description:
    'Books a table, class or treatment and returns the confirmed booking. Take `venue_id` and ' +
    '`slot_time` from search results, and say `party_size`; or give the `hold_id` of a slot ' +
    'that you hold. Repeating the same request makes one booking and one fee, never two. A ' +
    'refusal names `alternatives`. Needs pro or a saved card.',
  tier: 'pro',
  scope: 'bookings',
  input,
  output: z.object({
    status: z
      .enum(['confirmed', 'pending', 'offered'])
      .describe('`offered`: the venue offers another time, in `booking.offer`'),
    ...fields.answered,
    joined: fields.joined,
  }),
  errors: [
    'venue_not_found',
    'venue_removed',
    ...fields.commandRefusals,
    ...fields.slotRefusals,
    'slot_held',
    'booking_limit',
    'slot_given_back_too_often',
    'similar_booking',
    'part_of_itinerary',
    'hold_expired',
    'booking_cancelled',
    'venue_declined',
    'venue_no_answer',
    'offer_expired',
    'fee_not_authorized',
  ],
  async run(ctx: BookingContext, { hold_id, ...request }) {
    if (hold_id !== undefined) return confirmHold(ctx, { ...request, id: hold_id })
    const { wait, idempotency_key: key, ...slot } = wholeSlot(request)
    return answerOf(await openRequest(ctx, 'confirm', slot, { key, wait }), ctx.at)
  },
})

/** The answer to a request, with the next step once the booking is confirmed. */
export const answerOf = (opened: Opened, at: Date) =>
  opened.status
    ? opened
    : {
        ...opened,
        status: 'confirmed' as const,
        ...saidFirst(opened.chosen, handOver(opened.booking, at)),
      }

type Slot = Pick<Input, 'venue_id' | 'slot_time' | 'party_size'>

/** The input with venue, time and party size; throws `invalid_request` if any is missing. */
export function wholeSlot<S extends Slot>({ venue_id, slot_time, party_size, ...rest }: S) {
  if (venue_id === undefined || slot_time === undefined || party_size === undefined) {
    const missing = Object.entries({ venue_id, slot_time, party_size })
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({ pointer: `/${name}`, detail: 'is required unless `hold_id` is given' }))
    throw invalidRequest(missing)
  }
  return { venue_id, slot_time, party_size, ...rest }
}

/** The hold fixes the slot and party size; what it lacks of the guest can be added. */
async function confirmHold(
  ctx: BookingContext,
  { id, guest, guest_ref, notes, reminders, also, ...more }: Input & { id: string },
) {
  const { idempotency_key, wait, ...fixed } = more
  const repeated = Object.entries(fixed)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ pointer: `/${name}`, detail: 'is given by the hold: leave it out' }))
  if (repeated.length > 0) throw invalidRequest(repeated)
  const { id: accountId } = accountOf(ctx)
  if (guest_ref !== undefined && (await hasOtherGuestRef(ctx.db, accountId, id, guest_ref))) {
    throw invalidRequest([
      { pointer: '/guest_ref', detail: 'is not that of the hold: leave it out' },
    ])
  }
  const input = { ...(reminders && { reminders }), ...(also && { also }) }
  const command = { id, input, guest: { guest, notes, guest_ref }, idempotency_key, wait }
  await ctx.authorizeFee?.(id)
  const result = await submitCommand(ctx, { ...command, kind: 'confirm' })
  const { isReplayed, isJoined, commandId } = result
  const joined = !isReplayed && (isJoined || (await selectConfirmer(ctx.db, id)) !== commandId)
  const answer = resultOf(result, 'confirmed')
  if (answer.status === 'pending') return { ...undecided(answer), joined }
  return { ...handOver(answer.booking, ctx.at), ...answer, joined }
}

/** What to tell and to give the user after a confirmation. */
export function handOver(booking: OwnBooking, at: Date): { next?: string } {
  const page = 'Give your user `guest_url`: a page to see the booking and to cancel it.'
  const next = [
    ...venueNotes(booking),
    ...cancelNotes(booking, at),
    ...(booking.guest_url === null ? [] : [page]),
  ]
  return next.length > 0 ? { next: next.join(' ') } : {}
}
