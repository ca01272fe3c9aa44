import { z } from 'zod'
import * as fields from '../../bookings/operations/booking-fields.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { instant } from '../../contract/public.ts'
import { invalidRequest, refuse } from '../../contract/rules/errors.ts'
import {
  ITINERARY_GRACE_MS,
  ITINERARY_MINUTES,
  MOST_ITINERARIES,
  MOST_ITINERARY_MINUTES,
  MOST_MEMBERS,
} from '../rules/groups.ts'
import { itinerary } from '../schema.ts'
import { selectOptionalItinerary } from '../store/group-view.ts'
import type { NewMember } from '../store/groups.ts'
import { openGroup } from './open-group.ts'

const MINUTE_MS = 60_000

const input = z.strictObject({
  parts: z
    .array(
      z.strictObject({
        venue_id: fields.venueId,
        slot_time: fields.slotTime,
        party_size: fields.partySize,
        notes: fields.notes.optional(),
      }),
    )
    .min(2)
    .max(MOST_MEMBERS)
    .describe('What belongs together, as in a treatment, dinner and a class'),
  answer_by: instant
    .optional()
    .describe(
      `All venues must have said yes by then, at most ${MOST_ITINERARY_MINUTES} minutes from now; ${ITINERARY_MINUTES} minutes unless given`,
    ),
  guest: fields.guest.optional(),
  guest_ref: fields.guestRef.optional(),
  reminders: fields.reminders.optional(),
  idempotency_key: shared.idempotencyKey.optional(),
  wait: shared.wait,
})

export const makeItinerary = defineOperation({
  name: 'make itinerary',
  summary: 'Book at several venues, all or nothing',
  description:
    'Holds every part, asks the venues that answer for themselves, and books all parts at once after the last yes. If one part cannot ' +
    'be had by `answer_by`, nothing is booked, nothing stays held and nothing is charged. At most ' +
    `${MOST_ITINERARIES} in progress at a time. Needs the pro tier.`,
  tier: 'pro',
  input,
  output: z.object({
    status: z.enum(['confirmed', 'pending']),
    itinerary,
    replayed: shared.replayed.optional(),
    joined: z.boolean().optional().describe('An equal request came in the last 15 minutes'),
    next: shared.next.optional(),
  }),
  errors: [
    'venue_not_found',
    'slot_time_has_offset',
    'slot_in_past',
    'slot_off_grid',
    'lead_time',
    'itinerary_not_possible',
    'itinerary_limit',
    'booking_cancelled',
    'duplicate_booking',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx, { wait, idempotency_key: key, ...body }) {
    const { parts, guest, guest_ref: guestRef, reminders } = body
    const members = parts.map((part) => ({ ...part, guest, guest_ref: guestRef }))
    const deadline = (them: readonly NewMember[]) => deadlineOf(body.answer_by, them, ctx.at)
    const asked = { kind: 'itinerary', members, guestRef, reminders, body, deadline } as const
    const { groupId, output, flags } = await openGroup(ctx, asked, { key, wait })
    const made = await selectOptionalItinerary(ctx.db, accountOf(ctx).id, groupId)
    if (!made) throw refuse('itinerary_not_found')
    if (output) return { status: 'confirmed' as const, itinerary: made, ...flags }
    const next = `Read the itinerary ${groupId} in a few seconds, or repeat this request to wait for it.`
    return { status: 'pending' as const, itinerary: made, next }
  },
})

/** The parts are held a little longer than their venues may take, and both are over before the first part begins. */
function deadlineOf(asked: string | undefined, members: readonly NewMember[], at: Date) {
  const latest = at.getTime() + MOST_ITINERARY_MINUTES * MINUTE_MS
  const wanted = asked ? Date.parse(asked) : at.getTime() + ITINERARY_MINUTES * MINUTE_MS
  if (wanted > latest || wanted <= at.getTime()) {
    const detail = `expected an instant in the next ${MOST_ITINERARY_MINUTES} minutes`
    throw invalidRequest([{ pointer: '/answer_by', detail }])
  }
  const first = Math.min(...members.map(({ startsAt }) => startsAt.getTime()))
  if (first <= at.getTime()) throw refuse('slot_in_past')
  const answerBy = new Date(Math.min(wanted, first - ITINERARY_GRACE_MS))
  if (answerBy <= at) {
    const earliest = new Date(at.getTime() + ITINERARY_GRACE_MS).toISOString()
    throw refuse('lead_time', 'The first part begins within a minute.', { earliest })
  }
  return { answerBy, holdUntil: new Date(answerBy.getTime() + ITINERARY_GRACE_MS) }
}
