import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { parseSlotTime } from '../../base/local-time.ts'
import { text } from '../../contract/fields.ts'

/** The allowed clock skew; see Signatures in docs/protocols/venue-connector.md. */
const CLOCK_SKEW_MS = 300_000

const anyInstant = z.iso.datetime({ offset: true }).transform((value) => new Date(value))
/** A time in the future would prevail over all responses until then. */
const instant = anyInstant
  .refine((value) => value.getTime() <= Date.now() + CLOCK_SKEW_MS, 'lies in the future')
  .describe('Instant, RFC 3339, with milliseconds')
const date = z.iso
  .date()
  .refine((value) => 'local' in parseSlotTime(`${value}T00:00`), 'expected a date after 1969')

/** `booking.state` of docs/protocols/venue-connector.md. Unknown members are ignored. */
export const bookingState = z.object({
  type: z.literal('booking.state'),
  booking_id: z.uuid().toLowerCase(),
  revision: z.int32().min(0),
  status: z.enum([
    'confirmed',
    'declined',
    'pending',
    'cancelled',
    'no_show',
    'attended',
    'unknown',
  ]),
  answered_at: instant,
  reference: text(100).nullish(),
  reason: text(200).nullish(),
})

/** The state of a booking at a test venue, which uses the sandbox's clock. */
export const testVenueState = bookingState.extend({ answered_at: anyInstant })
export type BookingStateStatement = z.output<typeof bookingState>

const localTime = z.string().transform((value, ctx) => {
  const parsed = parseSlotTime(value)
  if ('local' in parsed) return parsed.local
  ctx.addIssue('expected a local date-time without offset, as in 2026-12-24T19:00:00')
  return z.NEVER
})

const mirrorSlot = z
  .object({
    slot_time: localTime,
    party_min: z.int32().min(1),
    party_max: z.int32().min(1),
    places_left: z.int32().min(0).nullish(),
  })
  .refine(({ party_min, party_max }) => party_min <= party_max, 'party_min is above party_max')

const MAX_DAYS = 14

/** `availability.state` of docs/protocols/venue-connector.md: every free slot on these dates. */
export const availabilityState = z
  .object({
    type: z.literal('availability.state'),
    venue_id: z.uuid().toLowerCase(),
    from: date,
    to: date,
    as_of: instant,
    slots: z.array(mirrorSlot).max(14 * 24 * 12),
  })
  .refine(({ from, to }) => {
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
    return days >= 0 && days < MAX_DAYS
  }, 'from and to span 1 to 14 days')
  .refine(({ from, to, slots }) => {
    const dates = slots.map(({ slot_time }) => slot_time.slice(0, 10))
    return dates.every((day) => from <= day && day <= to)
  }, 'every slot_time lies between from and to')
export type AvailabilityStatement = z.output<typeof availabilityState>
