import { z } from 'zod'
import { booking, instant, venueRef } from '../contract/public.ts'
import { bookingStatuses } from '../contract/rules/booking-status.ts'
import { groupStatuses } from './rules/groups.ts'

const wanted = {
  venue: venueRef,
  slot_time: z.string().describe('Local date-time at the venue, no offset'),
  party_size: z.int(),
  status: z
    .enum(['not_tried', 'refused', ...bookingStatuses])
    .describe('Of its booking; `refused` never became one, and `not_tried` was not asked for'),
  booking_id: z.uuid().nullable(),
  code: z.string().nullable().describe('Why it has its status, where that needs a reason'),
  message: z.string().nullable(),
}

/** One of several alternatives, and what became of it. */
export const choice = z.object({ choice: z.int().describe('1 is the first choice'), ...wanted })
export type Choice = z.infer<typeof choice>

/** One part of an itinerary, with its booking from the moment it has one. */
const part = z.object({ part: z.int(), ...wanted, booking: booking.nullable() })
export type Part = z.infer<typeof part>

/** Bookings at several venues, all or none. */
export const itinerary = z.object({
  id: z.uuid(),
  status: z
    .enum(groupStatuses)
    .exclude(['trying'])
    .describe('holding, asking and undoing go on by themselves; confirmed: all parts are booked'),
  answer_by: instant.describe('All venues must have said yes by then'),
  parts: z.array(part),
  code: z.string().nullable().describe('Why it is not booked'),
  message: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
})
export type Itinerary = z.infer<typeof itinerary>
