import { z } from 'zod'
import { amountText, chargedTo, currency } from '../../contract/local-times.ts'
import { instant } from '../../contract/public.ts'

const minor = z.int()
const isDemo = z.boolean().describe('For a demo venue: never invoiced')

/** One entry of an account's fees. Only `reversed_by` ever changes. */
export const feeEntry = z.object({
  id: z.uuid(),
  kind: z.enum(['accrual', 'reversal']),
  booking_id: z.uuid(),
  base_minor: minor.describe('What the fee is based on: estimated spend per guest × party size'),
  base_text: amountText,
  pct: z.number(),
  amount_minor: minor.describe('pct % of base_minor, rounded half up'),
  text: amountText,
  currency,
  charged_to: chargedTo,
  is_demo: isDemo,
  reverses: z.uuid().nullable().describe('The accrual that this reversal reverses'),
  reversed_by: z.uuid().nullable().describe('The reversal of this accrual'),
  invoice_id: z.uuid().nullable().default(null).describe('The invoice that it is on'),
  created_at: instant,
})
export type FeeEntry = z.infer<typeof feeEntry>

/** The totals of one month (UTC) in one currency, excluding demo venues. */
export const monthlyFees = z.object({
  month: z.string().describe('YYYY-MM, in UTC'),
  currency,
  is_demo: isDemo,
  entries: z.int(),
  accrued_minor: minor,
  accrued_text: amountText,
  reversed_minor: minor,
  reversed_text: amountText,
  total_minor: minor.describe('accrued_minor − reversed_minor; negative when more was reversed'),
  total_text: amountText,
})
export type MonthlyFees = z.infer<typeof monthlyFees>
