import { z } from 'zod'
import { monthlyFees } from '../../bookings/schema/fees.ts'
import { named } from '../../contract/named.ts'
import { bookingStatus, instant, venueRef } from '../../contract/public.ts'
import { endpoint } from '../../webhooks/schema/endpoints.ts'
import { tier } from './plan.ts'
import { quotaToday } from './usage.ts'

/** The overview counts no further than this. */
export const MAX_COUNTED = 1_000

/** The next steps suggested to an account, in this order. */
export const nextSteps = [
  'verify_email',
  'create_key',
  'first_call',
  'test_booking',
  'upgrade',
  'first_booking',
  'create_endpoint',
] as const
export type NextStep = (typeof nextSteps)[number]

const count = z.int().describe(`Counted up to ${MAX_COUNTED}`)

/** An account's endpoints by state. */
const endpointHealth = named('EndpointHealth', {
  active: z.int().describe('Active, and not failing'),
  failing: z.int().describe('Active, but every recent request failed'),
  unverified: z.int(),
  paused: z.int(),
  disabled: z.int(),
  troubles: z
    .array(z.object({ id: z.uuid(), url: z.string(), status: endpoint.shape.status }))
    .describe('Endpoints that fail or were disabled by the network'),
})

/** An upcoming booking. */
const bookingAhead = named('BookingAhead', {
  id: z.uuid(),
  status: bookingStatus,
  venue: venueRef,
  slot_time: z.string().describe('Local date-time at the venue, no offset'),
  timezone: z.string().describe('IANA time zone of the venue'),
  starts_at: instant,
  party_size: z.int(),
})
export type BookingAhead = z.infer<typeof bookingAhead>

/** Refusals with the same code. */
const refusalCount = named('RefusalCount', {
  code: z.string(),
  title: z.string(),
  calls: z.int(),
  last_at: instant,
})
export type RefusalCount = z.infer<typeof refusalCount>

/** An account's current state. */
export const overview = z.object({
  tier,
  next_steps: z.array(z.enum(nextSteps)).describe('What is still to do, most important first'),
  endpoints: endpointHealth
    .nullable()
    .describe('null for keys without the scope `webhooks`, and without any endpoint'),
  bookings: z.object({
    today: count.describe('Bookings whose slot is today, by the date at their venue'),
    next_7_days: count.describe('Bookings in the seven days after that'),
    ahead: z.array(bookingAhead).describe('The next few that have not begun, soonest first'),
  }),
  refusals: z.array(refusalCount).describe('Of the last 24 hours, most frequent first'),
  quota: quotaToday,
  month: z.object({
    month: z.string().describe('YYYY-MM, in UTC'),
    fees: z.array(monthlyFees).describe('By currency; demo venues separately'),
  }),
})
