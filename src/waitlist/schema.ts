import { z } from 'zod'
import { localTwin } from '../contract/local-times.ts'
import { named } from '../contract/named.ts'
import { instant, venueRef } from '../contract/public.ts'
import { askedService } from '../contract/services.ts'
import { entryStatuses } from './rules/entry-status.ts'

/** A watch as its owner sees it. */
export const watch = named('Watch', {
  id: z.uuid(),
  status: z
    .enum(entryStatuses)
    .describe(
      '`offered`: you have a hold. `fulfilled`: you confirmed it. The last three are final',
    ),
  venue: venueRef,
  slot_time: z.string().describe('The wanted time, local to the venue'),
  timezone: z.string(),
  flex_minutes: z.int().describe('Slots that begin this much earlier or later fit too'),
  party_size: z.int(),
  guest_ref: z.string().nullable().describe('Your reference for the guest, kept by the hold'),
  ...askedService,
  position: z
    .int()
    .nullable()
    .describe('Your place in the queue of this venue, among watches for overlapping times'),
  hold_id: z
    .uuid()
    .nullable()
    .describe('The hold to confirm before `hold_until`; once confirmed, the booking'),
  hold_slot_time: z.string().nullable().describe('The slot time of the hold'),
  hold_until: instant.nullable(),
  hold_until_local: localTwin,
  turns_missed: z.int().describe('Holds that you let go; the third ends the watch'),
  reason_code: z
    .enum(['time_over', 'turns_missed', 'venue_removed'])
    .nullable()
    .describe('Why it expired'),
  until: instant.describe('When it stops waiting'),
  until_local: localTwin,
  created_at: instant,
  updated_at: instant,
})
export type Watch = z.infer<typeof watch>
