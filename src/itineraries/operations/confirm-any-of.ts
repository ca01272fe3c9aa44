import { z } from 'zod'
import { isWish } from '../../availability/operations/wanted-service.ts'
import { invalidRequest } from '../../base/errors.ts'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { confirmBooking, wholeSlot } from '../../bookings/operations/confirm-booking.ts'
import { plainSlots } from '../../bookings/operations/requested-slot.ts'
import type { BookingRequest } from '../../bookings/operations/store-request.ts'
import { whileWaiting } from '../../bookings/rules/pending.ts'
import { ownBookingOf } from '../../bookings/steps/guest-link.ts'
import { selectOwnBooking, selectOwnFields } from '../../bookings/store/booking-view.ts'
import { defineOperation } from '../../contract/operation.ts'
import { booking } from '../../contract/public.ts'
import type { GroupContext } from '../engine.ts'
import { choice } from '../schema.ts'
import { selectChoices } from '../store/group-view.ts'
import { openGroup } from './open-group.ts'

const alternative = z.strictObject({
  venue_id: fields.venueId,
  slot_time: fields.slotTime,
  party_size: fields.partySize.optional().describe('Default: that of the first choice'),
})
const alternatives = z
  .array(alternative)
  .min(1)
  .max(9)
  .describe(
    'Further choices, in order. Each is tried only after the one before has failed; the first ' +
      'that succeeds is the only booking',
  )

/** `confirm booking` with a list of further choices, of which at most one is booked. */
export const confirmAnyOf = defineOperation({
  ...confirmBooking,
  description: `${confirmBooking.description} Send \`alternatives\` to have them tried in turn.`,
  input: confirmBooking.input.extend({ alternatives: alternatives.optional() }),
  output: confirmBooking.output.extend({
    choice: z.int().optional().describe('Which of the choices was booked; 1 is the first'),
    choices: z.array(choice).optional().describe('The outcome of each choice'),
  }),
  errors: [...confirmBooking.errors, 'no_alternative_free'],
  async run(ctx: GroupContext, input) {
    const { alternatives: others, hold_id, wait, idempotency_key: key, ...request } = input
    // `confirm booking` itself refuses alternatives together with a hold.
    if (!others || hold_id !== undefined) return confirmBooking.run(ctx, input)
    const { service, minutes, with: leader } = request
    if (isWish({ service, minutes, with: leader })) {
      const detail = 'cannot be wished for together with `alternatives`'
      throw invalidRequest([{ pointer: '/service', detail }])
    }
    const [first] = await plainSlots(ctx, [wholeSlot(request)])
    if (!first) throw new Error('a request without a slot')
    return bookFirstFree(ctx, first, await plainSlots(ctx, others), { key, wait })
  },
})

/** Tries one venue at a time, in the given order. Throws `no_alternative_free`. */
async function bookFirstFree(
  ctx: GroupContext,
  first: BookingRequest,
  alternatives: z.output<typeof alternative>[],
  patience: { key: string | undefined; wait: number },
) {
  const { guest, guest_ref, notes, party_size: size, reminders } = first
  const others = alternatives.map(({ party_size = size, ...one }) => ({
    ...one,
    party_size,
    guest,
    guest_ref,
    notes,
  }))
  const request = {
    kind: 'any_of',
    members: [first, ...others],
    guestRef: guest_ref,
    reminders,
    body: { ...first, alternatives },
    deadline: async () => null,
  } as const
  const { groupId, output, repeats } = await openGroup(ctx, request, patience)
  if (!output) return { ...(await pending(ctx, groupId)), ...repeats }
  const confirmed = booking.parse(output.booking)
  const own = await selectOwnFields(ctx.db, confirmed.id)
  return {
    status: 'confirmed' as const,
    booking: ownBookingOf(ctx, { ...confirmed, ...own }),
    choice: z.int().parse(output.choice),
    choices: z.array(choice).parse(output.choices),
    ...repeats,
  }
}

/** The pending answer, with the booking of the choice in progress. */
async function pending(ctx: GroupContext, groupId: string) {
  const choices = await selectChoices(ctx.db, groupId)
  const id = choices.findLast(({ booking_id }) => booking_id !== null)?.booking_id
  if (!id) throw new Error('a group without a request')
  const booking = ownBookingOf(ctx, await selectOwnBooking(ctx.db, id))
  const { next, retry_after } = whileWaiting(booking, ctx.at)
  const group =
    `Should this choice fail, the next is tried: repeat this request, or look for \`group_id\` ` +
    `${groupId} in your list of bookings.`
  return { status: 'pending' as const, booking, choices, next: `${next} ${group}`, retry_after }
}
