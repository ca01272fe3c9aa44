import { z } from 'zod'
import { bookingStatuses, cancellers } from '../base/booking-status.ts'
import { defaultReminders } from '../base/reminders.ts'
import { bookingDeposit, slotDeposits } from './deposits.ts'
import { foreign, foreignText } from './foreign-text.ts'
import {
  amountText,
  chargedTo,
  currency,
  localTwin,
  withLocalTimes,
  withTexts,
} from './local-times.ts'
import { named } from './named.ts'
import { asAsked, bookedService, shownService, shownSession } from './services.ts'
import { shownFields } from './venue-fields.ts'

export const instant = z.iso.datetime().describe('RFC 3339, in UTC').meta({ id: 'Instant' })
export const localTime = z
  .string()
  .describe('Local date-time at the venue, no offset: YYYY-MM-DDTHH:MM:SS')
  .meta({ id: 'LocalTime' })
const timezone = z.string().describe('IANA time zone of the venue')
export const venueRef = named('VenueRef', {
  id: z.uuid(),
  slug: z.string(),
  name: shownFields.name,
})

/** A bookable time at a venue. */
export const slot = named('Slot', {
  slot_time: localTime,
  timezone,
  utc_offset: z.string().describe('Offset of the venue at that time, as in +08:00'),
  service: foreignText('The service booked if no `service` is named; with `book_with`, name it'),
  price: z
    .string()
    .optional()
    .describe('What the guest pays the venue; `++` means plus tax and service'),
  typical_spend: z
    .string()
    .optional()
    .describe('What a guest usually pays the venue, if it has no `price`'),
  also: z.array(foreignText('A name')).optional().describe('Other services free at that time'),
  sessions: z.array(shownSession).optional().describe('Sessions that begin then and are free'),
  starts_at: instant,
  ends_at: instant,
  status: z.enum(['available', 'limited', 'unavailable', 'closed']).meta({ id: 'SlotStatus' }),
  places_left: z
    .int()
    .nullable()
    .describe('How many `places_left_unit` are free. null: the venue decides on request'),
  places_left_unit: z
    .string()
    .nullable()
    .describe(
      'What `places_left` counts. `place`: one guest each. Otherwise what a party takes or each ' +
        'guest needs, as `table` or `therapist or room` (the scarcer): 6 tables are not 6 seats',
    ),
  party_min: z.int(),
  party_max: z.int().describe('Largest party that can book this slot now'),
  confirm_mode: shownFields.confirm_mode,
  cancel_until: instant.describe('Cancelling up to this time reverses the fee'),
  cancel_until_local: localTwin.unwrap().unwrap(),
  fee: named('SlotFee', {
    pct: z.number(),
    base_per_guest_minor: z.int().optional().describe('Its price, or the usual spend of a guest'),
    base_per_booking_minor: z.int().optional().describe('Its price, if for the whole party'),
    currency,
    charged_to: chargedTo,
  }).describe('The fee is pct % of the base (per guest: × party size), rounded half up'),
  deposits: slotDeposits,
})
export type Slot = z.infer<typeof slot>

/** Computed from the venue's rules and bookings at `as_of`, which in lists is at most 5 s ago. */
export const availability = named('Availability', {
  as_of: instant,
  timezone,
  next_slot_time: localTime.nullable(),
  note: z
    .string()
    .nullable()
    .describe('Why no slot is shown, or none near the requested day and time'),
  slots: z.array(slot).describe('The next few bookable slots'),
  ...asAsked,
})
export type Availability = z.infer<typeof availability>

export const dayAvailability = named('DayAvailability', {
  date: z.string().describe('Local date at the venue: YYYY-MM-DD'),
  status: slot.shape.status.describe('Status of its best slot; closed: not bookable, see `reason`'),
  reason: foreign('Why the day is closed or has unusual hours', z.string().nullable()),
  slots: z
    .array(slot)
    .describe('All times of the day, including taken (unavailable) and cancelled (closed) ones'),
})
export type DayAvailability = z.infer<typeof dayAvailability>

const { name, category, ...otherFields } = shownFields
export const venue = named('Venue', {
  id: z.uuid().describe('Send it as venue_id to confirm a booking'),
  slug: z.string(),
  name,
  category,
  area: z.string(),
  city: z.string(),
  country: z.string().describe('ISO 3166-1 alpha-2'),
  timezone,
  currency,
  ...otherFields,
  distance_km: z.number().optional().describe('From what the search is near'),
  mentions: z
    .array(z.string())
    .optional()
    .describe('Words that only its description has: it may not have the thing. Ask the venue'),
  services: z.array(shownService),
  availability,
})
export type Venue = z.infer<typeof venue>

export const feeStatuses = [
  ...(['none', 'expected', 'accrued', 'reversed', 'invoiced', 'settled'] as const),
  'not_charged',
] as const

export const bookingStatus = z.enum(bookingStatuses).meta({ id: 'BookingStatus' })

/** Another time that waits for an answer. */
const proposal = {
  slot_time: localTime,
  starts_at: instant,
  ends_at: instant,
  answer_by: instant,
  answer_by_local: localTwin,
  deposit: bookingDeposit.nullable().default(null),
}

/** `booking` without local times, as read from the database. */
export const bookingShape = z.object({
  id: z.uuid(),
  status: bookingStatus,
  venue: venueRef,
  slot_time: localTime,
  timezone,
  utc_offset: z.string(),
  starts_at: instant,
  ends_at: instant.nullable().describe('null until the slot is held'),
  party_size: z.int(),
  service: bookedService.nullable().default(null).describe('null until the slot is held'),
  fee: named('BookingFee', {
    amount_minor: z.int(),
    text: amountText,
    currency,
    pct: z.number(),
    status: z
      .enum(feeStatuses)
      .describe(
        'expected until it is confirmed; invoiced when its month is closed, settled once that ' +
          'invoice is paid; not_charged at a demo venue',
      ),
    charged_to: chargedTo,
    note: z.string().optional(),
  }).overwrite(withTexts),
  typical_spend: named('TypicalSpend', { amount_minor: z.int(), text: z.string() })
    .optional()
    .describe('What the whole party is expected to pay the venue, as in: about IDR 480,000 for 2'),
  is_demo: z
    .literal(true)
    .optional()
    .describe('Demo venue: no one expects the guest, and nothing is charged'),
  revision: z.int(),
  reason_code: z.string().nullable().describe('The reason for the status, if it needs one'),
  confirm_mode: shownFields.confirm_mode
    .default('auto')
    .describe('Who confirms: the network, the venue’s system, or a person'),
  hold_until: instant
    .nullable()
    .default(null)
    .describe('When the hold ends, unless confirmed, extended or released'),
  hold_until_local: localTwin,
  answer_by: instant
    .nullable()
    .default(null)
    .describe('Deadline for the venue to answer, or for you to answer its offer'),
  answer_by_local: localTwin,
  offer: named('OfferedTime', {
    ...proposal,
    ask_user_first: z
      .literal(true)
      .default(true)
      .describe('Accept it only after your user has agreed to the other time'),
  })
    .nullable()
    .default(null)
    .describe('Another time that the venue proposes and holds for you: accept or decline it'),
  deposit: bookingDeposit.nullable().default(null),
  change: named('RequestedChange', { ...proposal, party_size: z.int() })
    .nullable()
    .default(null)
    .describe('The amendment that you requested, while the venue decides on it'),
  cancel_until: instant.nullable().default(null).describe('Cancelling up to this time is free'),
  cancel_until_local: localTwin,
  cancelled_by: z.enum(cancellers).meta({ id: 'Canceller' }).nullable().default(null),
  reason: z.string().optional().describe('Why the operator of the network cancelled it'),
  group_id: z
    .uuid()
    .nullable()
    .default(null)
    .describe('The group of alternatives or the itinerary that the booking belongs to'),
  reminders: z
    .array(z.int())
    .default([...defaultReminders])
    .describe('Minutes before the slot at which a `booking.reminder` event is sent'),
  created_at: instant,
  updated_at: instant,
})

/** Fills in the local times of a booking’s deadlines. */
export function withBookingTimes<B extends z.infer<typeof bookingShape>>(booking: B): B {
  const { timezone, offer, change } = booking
  const answer = ['answer_by'] as const
  return {
    ...withLocalTimes(booking, timezone, ['hold_until', 'answer_by', 'cancel_until']),
    offer: offer && withLocalTimes(offer, timezone, answer),
    change: change && withLocalTimes(change, timezone, answer),
  }
}

export const booking = bookingShape.overwrite(withBookingTimes).meta({ id: 'Booking' })
export type Booking = z.infer<typeof booking>

const { address, phone, latitude, longitude } = shownFields

/** Where a booking is, and whom to call. */
export const bookingPlace = z.object({ address, phone, latitude, longitude })

/** A booking as its own account sees it; events and stored answers contain just `booking`. */
export const ownBooking = bookingShape
  .extend({
    guest_ref: z.string().nullable().describe('Your own reference for the guest, as you sent it'),
    place: bookingPlace
      .extend({ directions_url: z.url().describe('A map with directions') })
      .describe('Where it is and whom to call: tell your user'),
    guest_url: z
      .url()
      .nullable()
      .describe(
        'Give it to your user: a page to see the booking, add it to a calendar and cancel it, ' +
          'without an account. Whoever has it can cancel. null for a hold, 30 days after the ' +
          'slot, and for a key without the scope `bookings`',
      ),
    guest_mails: z
      .boolean()
      .describe(
        'Whether the guest agreed to emails and they can be sent; the timeline lists sent emails',
      ),
  })
  .overwrite(withBookingTimes)
  .meta({ id: 'OwnBooking' })
export type OwnBooking = z.infer<typeof ownBooking>

/** The cancellation terms, as shown before and after cancelling. */
export const cancellation = named('Cancellation', {
  fee: z.enum(['none', 'reversed', 'kept']).describe('What happens to the fee'),
  free_until: instant.nullable(),
  free_until_local: localTwin,
  amount_minor: z.int().describe('What the cancellation costs'),
  text: amountText,
  currency,
  charged_to: chargedTo,
  policy: z.string(),
  deposit: foreignText('What becomes of the deposit').optional(),
}).overwrite(withTexts)
export type Cancellation = z.infer<typeof cancellation>

export const nextCursor = z
  .string()
  .nullable()
  .describe('Send as `cursor` for the next page; null on the last')
  .meta({ id: 'NextCursor' })

/** The input of a list in pages. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
}
