import { z } from 'zod'
import { amountText, currency } from '../../contract/local-times.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { invoiceStatuses } from '../rules/invoices.ts'

/** Invoice lines per answer; the total and the CSV cover all lines. */
export const MAX_LINES = 150

const minor = z.int()

/** An invoice for a month in one currency, or its credit note. */
export const invoice = named('Invoice', {
  id: z.uuid(),
  number: z.string().describe('Numbers the invoices of the account, without gaps'),
  kind: z.enum(['invoice', 'credit_note']).describe('A credit note cancels an invoice'),
  month: z.string().describe('YYYY-MM, in UTC'),
  currency,
  total_minor: minor.describe('The sum of the lines; negative if it is in your favour'),
  total_text: amountText,
  credit_minor: minor.describe('What your credit paid when the invoice was issued'),
  credit_text: amountText,
  paid_minor: minor.describe('What is paid so far, credit included'),
  paid_text: amountText,
  due_minor: minor.describe('What is left to pay'),
  due_text: amountText,
  status: z
    .enum(invoiceStatuses)
    .describe('open: to be paid by `due_at`; paid: nothing is left to pay; void: cancelled'),
  issued_at: instant,
  due_at: instant,
  paid_at: instant.nullable(),
  voided_at: instant.nullable(),
  credits: z.uuid().nullable().describe('For a credit note: the invoice that it cancels'),
  is_test: z.boolean().describe('Whether it is a sandbox’s: test cards pay it, without real money'),
})
export type Invoice = z.infer<typeof invoice>

/** A charge or credit as it was when invoiced. */
export const invoiceLine = named('InvoiceLine', {
  position: z.int(),
  kind: z
    .enum(['fee', 'reversal', 'pro', 'adjustment', 'credit_note'])
    .describe('fee of a booking, its reversal, a month on pro, or an adjustment'),
  description: z.string().describe('The venue, or what else the line is for'),
  booking_id: z.uuid().nullable(),
  slot_time: z.string().nullable().describe('Local date-time at the venue, no offset'),
  timezone: z.string().nullable(),
  party_size: z.int().nullable(),
  base_minor: minor.nullable(),
  base_text: z.string().nullable().default(null),
  pct: z.number().nullable(),
  amount_minor: minor.describe('Negative if it is in your favour'),
  text: amountText,
  currency,
  at: instant.describe('When it accrued or was reversed'),
})
export type InvoiceLine = z.infer<typeof invoiceLine>
