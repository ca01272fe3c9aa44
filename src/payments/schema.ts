import { z } from 'zod'
import { amountText, currency, withTexts } from '../contract/local-times.ts'
import { named } from '../contract/named.ts'
import type { Context } from '../contract/operation.ts'
import { instant } from '../contract/public.ts'
import { duePurposes, paymentStates, purposes, reasonText } from './rules/payments.ts'
import type { Due } from './store/dues.ts'
import type { Payment } from './store/payments.ts'

/** A payment to the network. */
export const payment = named('Payment', {
  id: z.uuid(),
  state: z
    .enum(paymentStates)
    .describe(
      '`created`: waits at `pay_url`. `processing` and `unknown`: with the payment provider, ' +
        'which is asked until it answers; do not pay again in the meantime. `authorized`: ' +
        'reserved on the card until the venue has said yes',
    ),
  purpose: z
    .enum(purposes)
    .describe('A month of the pro tier, the invoice of a month, or the fee of a booking'),
  due_id: z
    .uuid()
    .nullable()
    .describe('The due or booking paid; null until a new month of pro is paid'),
  amount_minor: z.int(),
  text: amountText,
  currency,
  refunded_minor: z.int(),
  refunded_text: amountText,
  reason: z.string().nullable().describe('Why the payment failed, according to the provider'),
  reason_text: z.string().nullable(),
  pay_url: z
    .url()
    .nullable()
    .describe('Where your user pays, while it is `created`; null without the scope `keys`'),
  provider: z.string(),
  created_at: instant,
  updated_at: instant,
})

/** An amount that an account owes. */
export const due = named('Due', {
  id: z.uuid(),
  purpose: z.enum(duePurposes),
  number: z.string().nullable().describe('Of an invoice'),
  month: z.string().describe('YYYY-MM, in UTC'),
  amount_minor: z.int(),
  text: amountText,
  currency,
  issued_at: instant,
})

/** A payment as its account sees it; `pay_url` requires the scope for payments. */
export const shownPayment = (
  { scopes }: Pick<Context, 'scopes'>,
  row: Payment,
): z.input<typeof payment> =>
  withTexts({
    id: row.id,
    state: row.state,
    purpose: row.purpose,
    due_id: row.due_id,
    amount_minor: row.amount_minor,
    text: '',
    currency: row.currency,
    refunded_minor: row.refunded_minor,
    refunded_text: '',
    reason: row.reason,
    reason_text: row.reason && reasonText(row.reason),
    pay_url: row.state === 'created' && scopes.includes('keys') ? row.page_url : null,
    provider: row.provider,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })

/** An amount due, as its account sees it. */
export const shownDue = (row: Due): z.input<typeof due> =>
  withTexts({
    id: row.id,
    purpose: row.purpose,
    number: row.number,
    month: row.month,
    amount_minor: row.amount_minor,
    text: '',
    currency: row.currency,
    issued_at: row.issued_at.toISOString(),
  })
