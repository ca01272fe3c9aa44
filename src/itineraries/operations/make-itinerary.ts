import { z } from 'zod'
import { wishFields } from '../../availability/operations/wanted-service.ts'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { findSlots } from '../../bookings/operations/requested-slot.ts'
import * as shared from '../../contract/fields.ts'
import { defineOperation } from '../../contract/operation.ts'
import { instant } from '../../contract/public.ts'
import type { GroupContext } from '../engine.ts'
import * as rules from '../rules/groups.ts'
import { itinerary } from '../schema.ts'
import type { NewGroupMember } from '../store/groups.ts'
import { ownItinerary } from './get-itinerary.ts'
import { deadlineOf } from './itinerary-deadline.ts'
import { openGroup } from './open-group.ts'
import { refuseOverlap } from './refuse-overlap.ts'
import { whileOpen } from './while-open.ts'

const part = z.strictObject({
  venue_id: fields.venueId,
  slot_time: fields.slotTime,
  party_size: fields.partySize,
  ...wishFields,
  notes: fields.notes.optional(),
})

export const makeItinerary = defineOperation({
  name: 'make itinerary',
  summary: 'Book at several venues, all or nothing',
  description:
    'Holds every part, asks the venues that confirm bookings themselves, and books all parts ' +
    'together once all have agreed. If one part fails or is not confirmed by `answer_by`, ' +
    'nothing is booked, nothing stays held and nothing is charged. An account can have ' +
    `${rules.MAX_ITINERARIES} itineraries in progress. Needs pro or a saved card.`,
  tier: 'pro',
  scope: 'bookings',
  input: z.strictObject({
    parts: z
      .array(part)
      .min(2)
      .max(rules.MAX_MEMBERS)
      .describe('Slots that belong together, for example a treatment, dinner and a class'),
    answer_by: instant
      .optional()
      .describe(
        `All venues must have confirmed by then, at most ${rules.MAX_ITINERARY_MINUTES} ` +
          `minutes from now. Default: ${rules.ITINERARY_MINUTES} minutes from now or, where a ` +
          'person confirms a part, as long as its venue’s opening hours require',
      ),
    guest: fields.guest.optional(),
    guest_ref: fields.guestRef.optional(),
    reminders: fields.reminders.optional(),
    also: fields.also.describe(
      'true if your user wants it despite `similar_booking` or `parts_overlap`',
    ),
    idempotency_key: shared.idempotencyKey.optional(),
    wait: shared.wait,
  }),
  output: z.object({
    status: z.enum(['confirmed', 'pending']),
    itinerary,
    replayed: shared.replayed.optional(),
    joined: fields.joined,
    next: shared.next.optional(),
    retry_after: shared.retryAfter.optional(),
  }),
  errors: [
    'venue_not_found',
    'venue_removed',
    'service_not_offered',
    'slot_time_has_offset',
    'slot_in_past',
    'slot_off_grid',
    'lead_time',
    'venue_answers_later',
    'itinerary_not_possible',
    'parts_overlap',
    'itinerary_limit',
    'booking_cancelled',
    'similar_booking',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx: GroupContext, { wait, idempotency_key: key, ...request }) {
    const { parts, answer_by, ...shared } = request
    const whole = parts.map((part) => ({ ...shared, ...part }))
    const members = await findSlots(ctx, 'parts', whole)
    const body = { ...request, parts: members.map((member) => member.body) }
    const deadline = async (them: readonly NewGroupMember[]) => {
      if (!request.also) await refuseOverlap(ctx.db, them)
      return deadlineOf(ctx, answer_by, them)
    }
    const group = { kind: 'itinerary', members, body, deadline } as const
    const { groupId, output, repeats } = await openGroup(ctx, group, { key, wait })
    const current = await ownItinerary(ctx, groupId)
    if (output) return { status: 'confirmed' as const, itinerary: current, ...repeats }
    return {
      status: 'pending' as const,
      itinerary: current,
      ...repeats,
      ...whileOpen(current, ctx.at),
    }
  },
})
