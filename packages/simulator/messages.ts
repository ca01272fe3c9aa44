import { z } from 'zod'

const id = z.string().min(1).max(200)
const instant = z.iso.datetime()
const localTime = z.iso.datetime({ local: true }).regex(/^[^Z]*$/, 'must be a local time without Z')
const revision = z.number().int().min(0)
const timezone = z.string().refine(isTimeZone, 'is not a time zone')
const answerUrl = z.url({ protocol: /^https?$/ })

const place = {
  booking_id: id,
  revision,
  venue_id: id,
  service: z.string().optional(),
  minutes: z.number().optional(),
  with: z.array(z.string()).optional(),
  slot_time: localTime,
  timezone,
  starts_at: instant,
  ends_at: instant,
  party_size: z.number().int().min(1),
  answer_url: answerUrl,
}

/** The network's requests. Unknown fields, including guest details, are ignored. */
export const requestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('booking.confirm'), ...place, answer_by: instant }),
  z.object({ type: z.literal('booking.amend'), ...place, answer_by: instant.nullable() }),
  z.object({ type: z.literal('booking.status'), booking_id: id, venue_id: id }),
  z.object({ type: z.literal('booking.cancel'), booking_id: id, revision, venue_id: id }),
  z.object({
    type: z.literal('availability.read'),
    venue_id: id,
    from: z.iso.date(),
    to: z.iso.date(),
    timezone,
    answer_url: answerUrl,
  }),
])

export type Request = z.infer<typeof requestSchema>
export type BookingRequest = Exclude<Request, { type: 'availability.read' }>
export type Confirm = Extract<Request, { type: 'booking.confirm' | 'booking.amend' }>

const statuses = ['confirmed', 'declined', 'pending', 'cancelled', 'unknown'] as const
export type Status = (typeof statuses)[number]
/** Sent after a confirmed slot has begun: whether the guests came. */
type Visit = 'no_show' | 'attended'

/** The venue's status for one booking. */
export type BookingState = {
  type: 'booking.state'
  booking_id: string
  revision: number
  status: Status | Visit
  answered_at: string
  reference: string | null
  reason: string | null
}

/** `slot_time` is local to the venue. */
export type Slot = {
  slot_time: string
  party_min: number
  party_max: number
  places_left: number
}

export type AvailabilityState = {
  type: 'availability.state'
  venue_id: string
  from: string
  to: string
  as_of: string
  slots: Slot[]
}

export type VenueMessage = BookingState | AvailabilityState

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
