import { z } from 'zod'
import * as fields from '../../bookings/operations/booking-fields.ts'
import type { AskedBooking } from '../../bookings/operations/booking-request.ts'
import { type Choice, choice } from '../../bookings/schema/groups.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import type { Context } from '../../contract/define.ts'
import { type Booking, booking } from '../../contract/public.ts'
import { selectChoices } from '../store/group-view.ts'
import { openGroup } from './open-group.ts'

/** What is tried when the first choice cannot be had. */
export const alternatives = z
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

type Alternatives = z.output<typeof alternatives>

/** Books the first of several choices that can be had: one venue at a time, and never two. Throws `no_alternative_free`. */
export async function confirmAnyOf(
  ctx: Context,
  { alternatives: others, ...first }: AskedBooking & { alternatives: Alternatives },
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
