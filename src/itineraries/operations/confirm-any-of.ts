import { z } from 'zod'
import { isWish, wishFields } from '../../availability/operations/wanted-service.ts'
import { plainWish } from '../../availability/rules/service-terms.ts'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { confirmBooking, handOver, wholeSlot } from '../../bookings/operations/confirm-booking.ts'
import { undecided } from '../../bookings/operations/open-request.ts'
import { findSlot, findSlots } from '../../bookings/operations/requested-slot.ts'
import { whileWaiting } from '../../bookings/rules/pending.ts'
import { ownBookingOf } from '../../bookings/steps/guest-link.ts'
import { selectOwnBooking, selectOwnFields } from '../../bookings/store/booking-view.ts'
import { defineOperation } from '../../contract/operation.ts'
import { booking } from '../../contract/public.ts'
import type { GroupContext } from '../engine.ts'
import { choice } from '../schema.ts'
import { selectChoices } from '../store/group-view.ts'
import { type GroupRequest, openGroup } from './open-group.ts'

const alternative = z.strictObject({
  venue_id: fields.venueId,
  slot_time: fields.slotTime,
  party_size: fields.partySize.optional().describe('Default: that of the first choice'),
  ...wishFields,
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
    const first = await findSlot(ctx, wholeSlot(request))
    const { guest, guest_ref, notes, also, party_size } = first.body
    const { id, slug } = first.venue
    const rest = others.map((one) => {
      const isSameWish = !isWish(one) && [id, slug].includes(one.venue_id)
      const wish = isSameWish ? plainWish(first.wish) : {}
      const size = one.party_size ?? party_size
      return { guest, guest_ref, notes, also, ...wish, ...one, party_size: size }
    })
    const members = [first, ...(await findSlots(ctx, 'alternatives', rest))]
    return bookFirstFree(ctx, members, { key, wait })
  },
})

/** Tries one venue at a time, in the given order. Throws `no_alternative_free`. */
async function bookFirstFree(
  ctx: GroupContext,
  members: GroupRequest['members'],
  patience: { key: string | undefined; wait: number },
) {
  const request = {
    kind: 'any_of',
    members,
    body: members.map(({ body }) => body),
    deadline: async () => null,
  } as const
  const { groupId, output, repeats } = await openGroup(ctx, request, patience)
  if (!output) return { ...(await pending(ctx, groupId)), ...repeats }
  const confirmed = booking.parse(output.booking)
  const own = ownBookingOf(ctx, { ...confirmed, ...(await selectOwnFields(ctx.db, confirmed.id)) })
  return {
    status: 'confirmed' as const,
    booking: own,
    ...handOver(own, ctx.at),
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
  return undecided({ booking, choices, next: `${next} ${group}`, retry_after })
}
