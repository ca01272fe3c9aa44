import { z } from 'zod'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { confirmBooking, wholeSlot } from '../../bookings/operations/confirm-booking.ts'
import type { BookingRequest } from '../../bookings/operations/open-request.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { type Booking, booking } from '../../contract/public.ts'
import { type Choice, choice } from '../schema.ts'
import { selectChoices } from '../store/group-view.ts'
import { openGroup } from './open-group.ts'

const alternatives = z
  .array(
    z.strictObject({
      venue_id: fields.venueId,
      slot_time: fields.slotTime,
      party_size: fields.partySize.optional().describe('As for the first choice unless given'),
    }),
  )
  .min(1)
  .max(9)
  .describe(
    'Further choices, in order, each tried only after the one before has failed; the first yes wins and is the only booking',
  )

/** `confirm booking` with a list of further choices: any of them is booked, and never two. */
export const confirmAnyOf = defineOperation({
  ...confirmBooking,
  description: `${confirmBooking.description} Send \`alternatives\` yourself, and they are tried in turn.`,
  input: confirmBooking.input.extend({ alternatives: alternatives.optional() }),
  output: confirmBooking.output.extend({
    choice: z.int().optional().describe('Which of the choices was booked; 1 is the first'),
    choices: z.array(choice).optional().describe('What became of each choice'),
  }),
  errors: [...confirmBooking.errors, 'no_alternative_free'],
  async run(ctx, input) {
    const { alternatives: others, hold_id, wait, idempotency_key: key, ...asked } = input
    // A hold with alternatives is refused there.
    if (!others || hold_id !== undefined) return confirmBooking.run(ctx, input)
    return bookFirstFree(ctx, { ...wholeSlot(asked), alternatives: others }, { key, wait })
  },
})

type Alternatives = z.output<typeof alternatives>

/** One venue at a time, in order. Throws `no_alternative_free`. */
async function bookFirstFree(
  ctx: Context,
  { alternatives: others, ...first }: BookingRequest & { alternatives: Alternatives },
  { key, wait }: { key: string | undefined; wait: number },
) {
  const { guest, guest_ref, notes, party_size, reminders } = first
  const members = [
    first,
    ...others.map((one) => ({ party_size, ...defined(one), guest, guest_ref, notes })),
  ]
  const body = { ...first, alternatives: others }
  const asked = {
    kind: 'any_of',
    members,
    guestRef: guest_ref,
    reminders,
    body,
    deadline: () => null,
  } as const
  const { groupId, output, flags } = await openGroup(ctx, asked, { key, wait })
  if (!output) return pending(ctx, groupId)
  return {
    status: 'confirmed' as const,
    booking: booking.parse(output.booking),
    choice: z.int().parse(output.choice),
    choices: z.array(choice).parse(output.choices),
    ...flags,
  }
}

/** A party size that is left out is that of the first choice. */
const defined = <T extends { party_size?: number | undefined }>({ party_size, ...rest }: T) => ({
  ...rest,
  ...(party_size !== undefined && { party_size }),
})

async function pending(ctx: Context, groupId: string) {
  const choices = await selectChoices(ctx.db, groupId)
  return {
    status: 'pending' as const,
    booking: await selectBooking(ctx.db, currentOf(choices)),
    choices,
    next: nextWhilePending(groupId),
  }
}

/** The choice that was begun last: its venue is being asked, or was when the choices were read. */
function currentOf(choices: readonly Choice[]): Booking['id'] {
  const id = choices.findLast(({ booking_id }) => booking_id !== null)?.booking_id
  if (!id) throw new Error('a group without a request')
  return id
}

const nextWhilePending = (groupId: string) =>
  `Repeat this request to wait for it, or look for the booking with \`group_id\` ${groupId} in your list of bookings.`
