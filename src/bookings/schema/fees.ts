import { z } from 'zod'
import { amountText, currency } from '../../contract/local-times.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { ofFee } from '../../webhooks/schema/event-bodies.ts'

const minor = z.int()

/** One entry of an account's fees. Only `reversed_by` ever changes. */
export const feeEntry = named('Fee', {
  id: z.uuid(),
  kind: z.enum(['accrual', 'reversal']),
  ...ofFee.shape,
  reverses: z.uuid().nullable().describe('The accrual that this reversal reverses'),
  reversed_by: z.uuid().nullable().describe('The reversal of this accrual'),
  invoice_id: z.uuid().nullable().default(null).describe('The invoice that it is on'),
  created_at: instant,
})
export type FeeEntry = z.infer<typeof feeEntry>

/** The totals of one month (UTC) in one currency, excluding demo venues. */
export const monthlyFees = named('MonthlyFees', {
  month: z.string().describe('YYYY-MM, in UTC'),
  currency,
  is_demo: ofFee.shape.is_demo,
  entries: z.int(),
  accrued_minor: minor,
  accrued_text: amountText,
  reversed_minor: minor,
  reversed_text: amountText,
  total_minor: minor.describe('accrued_minor − reversed_minor; negative when more was reversed'),
  total_text: amountText,
})
export type MonthlyFees = z.infer<typeof monthlyFees>
