import { z } from 'zod'
import { bookingDeposit } from './deposits.ts'
import { foreignText } from './foreign-text.ts'
import { named } from './named.ts'
import { localTime, venueRef } from './public.ts'

/** A slot that a refusal suggests. */
export const alternative = named('Alternative', {
  venue: venueRef,
  distance_km: z.number().optional().describe('From the venue that was asked for'),
  slot_time: localTime,
  service: foreignText('The service: send it too, with `minutes` and `with`'),
  minutes: z.int(),
  price: z.string().optional().describe('What the guest pays the venue; `about`: usually'),
  deposit: bookingDeposit.optional(),
  with: foreignText('The person wished for').optional(),
  kind: z
    .enum(['other_venue', 'same_day', 'other_day'])
    .describe(
      '`other_venue`: a similar venue nearby, around the requested time. `same_day`: the same ' +
        'venue on the same day. `other_day`: the same venue on another day',
    ),
  same_time: z.boolean().describe('It begins at the requested time of day'),
  ask_user_first: z.boolean().describe('Book it only after your user has agreed to `why_ask`'),
  why_ask: z
    .string()
    .optional()
    .describe('What differs: venue, day, much of the time, service, or a higher price or deposit'),
})
export type Alternative = z.infer<typeof alternative>
