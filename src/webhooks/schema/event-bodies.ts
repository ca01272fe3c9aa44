import { z } from 'zod'
import { alternative } from '../../contract/alternative.ts'
import { amountText, chargedTo, currency, localTwin } from '../../contract/local-times.ts'
import { booking, instant, venueRef } from '../../contract/public.ts'
import { bookedService } from '../../contract/services.ts'
import type { EventType } from '../rules/event-types.ts'

const dataOf = <S extends z.core.$ZodLooseShape>(id: string, shape: S) =>
  z.strictObject(shape).meta({ id })

const ofBooking = z.strictObject({ booking })
export const ofFee = dataOf('FeeData', {
  booking_id: z.uuid(),
  base_minor: z.int().describe('What the fee is based on: estimated spend per guest × party size'),
  base_text: amountText,
  pct: z.number(),
  amount_minor: z.int().describe('pct % of base_minor, rounded half up'),
  text: amountText,
  currency,
  charged_to: chargedTo,
  is_demo: z.boolean().describe('For a demo venue: only shown, never charged'),
})
const ofInvoice = dataOf('InvoiceData', {
  invoice_id: z.uuid(),
  number: z.string(),
  month: z.string().describe('YYYY-MM, in UTC'),
  status: z.enum(['open', 'paid']).describe('`paid` when created: your credit has paid it'),
  total_minor: z.int(),
  total_text: amountText,
  due_minor: z.int(),
  due_text: amountText,
  currency,
  due_at: instant,
  is_test: z.boolean().describe('Whether it is a sandbox’s'),
})
const ofEndpoint = z.strictObject({
  endpoint_id: z.uuid(),
  url: z.string().describe('Without its query, which may contain a secret'),
})

/** What a booking was before a change; and what else differs. */
export const previousBooking = dataOf('PreviousBooking', {
  slot_time: z.string(),
  party_size: z.int(),
  service: z.string().optional(),
  session: z.string().optional(),
  minutes: z.number().optional(),
  price: z.string().optional(),
  typical_spend: z.string().optional(),
  fee: z.string().optional(),
  deposit: z.string().nullable().optional(),
  with: z.array(z.string()).optional(),
})

/** The `data` of each event type. `booking` is its state at that moment, without guest details. */
export const eventData = {
  'booking.held': ofBooking,
  'booking.pending': ofBooking,
  'booking.offered': ofBooking,
  'booking.confirmed': ofBooking,
  'booking.declined': ofBooking,
  'booking.expired': ofBooking,
  'booking.released': ofBooking,
  'booking.amended': ofBooking.extend({ previous: previousBooking }),
  'booking.cancelled': ofBooking.extend({
    alternatives: z
      .array(alternative)
      .optional()
      .describe('What could be booked instead, when the venue or the operator cancelled'),
  }),
  'booking.reminder': ofBooking.extend({ minutes_before: z.int() }),
  'booking.completed': ofBooking,
  'booking.no_show': ofBooking,
  'booking.failed': ofBooking,
  'fee.accrued': ofFee,
  'fee.reversed': ofFee,
  'invoice.created': ofInvoice,
  'invoice.paid': ofInvoice,
  'venue.availability_opened': z.strictObject({
    watch_id: z.uuid(),
    hold_id: z.uuid(),
    hold_until: instant,
    hold_until_local: localTwin,
    venue: venueRef,
    slot_time: z.string(),
    timezone: z.string(),
    party_size: z.int(),
    service: bookedService.nullable(),
  }),
  'endpoint.failing': ofEndpoint.extend({ failing_since: instant, disabled_at: instant }),
  'endpoint.disabled': ofEndpoint.extend({ reason: z.enum(['gone', 'failing']) }),
  'endpoint.test': z.strictObject({ endpoint_id: z.uuid(), note: z.string().nullable() }),
} satisfies Record<EventType, z.ZodObject>

/** An event of one of these types, with the body that subscribers are promised. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { type: K; data: z.input<(typeof eventData)[K]> }
}[T]

/** The body of every delivery: exactly what is signed. */
export const eventBody = z.strictObject({
  id: z
    .uuid()
    .describe('Event id, as in `webhook-id`: the same for every attempt')
    .meta({ id: 'EventId' }),
  type: z.string(),
  timestamp: instant.describe('When it happened'),
  sequence: z
    .int()
    .describe('Numbers the deliveries of this endpoint from 1, without gaps')
    .meta({ id: 'EventSequence' }),
  data: z.record(z.string(), z.unknown()),
})
