import { z } from 'zod'
import { feeEntry } from '../../bookings/schema/fees.ts'
import { instant } from '../../contract/public.ts'
import { amountText, currency } from '../../contract/twins.ts'
import { invoice } from './plan.ts'

/** Entries that a statement shows. Its totals have all, and so has the CSV of the fees. */
export const MAX_LINES = 150

/** A fee of a booking, or its reversal, with what was booked. */
const statementLine = feeEntry
  .pick({
    id: true,
    kind: true,
    booking_id: true,
    base_minor: true,
    base_text: true,
    pct: true,
    currency: true,
    is_demo: true,
    created_at: true,
  })
  .extend({
    amount_minor: z.int().describe('Negative for a reversal'),
    text: amountText,
    venue: z.string(),
    slot_time: z.string().describe('Local date-time at the venue, no offset'),
    timezone: z.string(),
    party_size: z.int(),
  })
export type StatementLine = z.infer<typeof statementLine>

/** What a month comes to in one currency. */
const statementTotal = z.object({
  currency,
  bookings_minor: z.int().describe('Fees of bookings less reversals, without demo venues'),
  bookings_text: amountText,
  pro_minor: z.int(),
  pro_text: amountText,
  total_minor: z.int(),
  total_text: amountText,
  demo_minor: z.int().describe('At demo venues: never invoiced, not in the total'),
  demo_text: amountText,
})
export type StatementTotal = z.infer<typeof statementTotal>

/** The fees that an account accrued in a month. */
export const statement = z.object({
  number: z.string().describe('The same whenever the statement is read'),
  month: z.string().describe('YYYY-MM, in UTC'),
  from: instant,
  until: instant.describe('Exclusive'),
  is_complete: z.boolean().describe('false while the month lasts: fees may be added'),
  account: z.object({ id: z.uuid(), name: z.string() }),
  lines: z.array(statementLine).describe(`Oldest first, up to ${MAX_LINES}`),
  lines_left_out: z.int(),
  pro: invoice.nullable().describe('The month of the pro tier, if there was one'),
  totals: z.array(statementTotal),
  note: z.string(),
})
export type Statement = z.infer<typeof statement>
