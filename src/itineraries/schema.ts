import { z } from 'zod'
import { bookingStatuses } from '../base/booking-status.ts'
import { alternative } from '../contract/alternative.ts'
import { localTwin } from '../contract/local-times.ts'
import { named } from '../contract/named.ts'
import { instant, ownBooking, venueRef } from '../contract/public.ts'
import { askedService } from '../contract/services.ts'
import { groupStatuses } from './rules/groups.ts'

const slotFields = {
  venue: venueRef,
  slot_time: z.string().describe('Local date-time at the venue, no offset'),
  party_size: z.int(),
  ...askedService,
  status: z
    .enum(['not_tried', 'refused', ...bookingStatuses])
    .meta({ id: 'ChoiceStatus' })
    .describe('Status of its booking. `refused`: none was made. `not_tried`: not requested'),
  booking_id: z.uuid().nullable(),
  code: z.string().nullable().describe('The reason for its status, if there is one'),
  message: z.string().nullable(),
}

/** One of several alternatives, and its outcome. */
export const choice = named('Choice', {
  choice: z.int().describe('1 is the first choice'),
  ...slotFields,
})
export type GroupChoice = z.infer<typeof choice>

/** One part of an itinerary, with its booking once there is one. */
const part = named('ItineraryPart', {
  part: z.int(),
  ...slotFields,
  booking: ownBooking.nullable(),
  alternatives: z
    .array(alternative)
    .optional()
    .describe('What could be booked instead when this part was refused'),
})
export type ItineraryPart = z.infer<typeof part>

/** Bookings at several venues, all or none. */
export const itinerary = named('Itinerary', {
  id: z.uuid(),
  status: z
    .enum(groupStatuses)
    .exclude(['trying'])
    .describe('holding, asking and undoing are temporary; confirmed: all parts are booked'),
  answer_by: instant.describe('All venues must have confirmed by then'),
  answer_by_local: localTwin,
  guest_ref: z.string().nullable().describe('Your own reference for the guest'),
  parts: z.array(part),
  warnings: z
    .array(
      z.object({
        code: z.literal('parts_overlap'),
        parts: z.array(z.int()),
        message: z.string(),
      }),
    )
    .describe('Possible mistakes that do not prevent booking, such as overlapping parts'),
  code: z.string().nullable().describe('Why it is not booked'),
  message: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
})
export type Itinerary = z.infer<typeof itinerary>
