import { z } from 'zod'
import { amountText, currency, withTexts } from '../../contract/local-times.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'

export const tiers = ['free', 'pro'] as const
export const tier = z.enum(tiers).meta({ id: 'Tier' })
export const modes = ['live', 'test'] as const
export const planChangers = ['developer', 'operator', 'system'] as const

const price = z.object({ amount_minor: z.int(), text: amountText, currency }).overwrite(withTexts)

/** A tier with its limits and price. */
export const offer = named('PlanOffer', {
  tier,
  requests_per_day: z.int().describe('Per day (UTC), for all doors and keys together'),
  books: z.boolean().describe('Whether the tier itself may book; see also `pays`'),
  monthly_price: price,
})
export type Offer = z.infer<typeof offer>

/** An account's plan. */
export const plan = named('Plan', {
  tier,
  requests_per_day: z
    .int()
    .describe('The account’s own limit if it has one, otherwise that of its tier'),
  pays: z
    .enum(['plan', 'card', 'nothing'])
    .describe('What pays for bookings; with `card`, the account can book without pro'),
  fee_pct: z.number().describe('Percentage of the estimated spend of each booking'),
  upgrade_by: z
    .enum(['developer', 'operator'])
    .describe('Who can move the account to pro: you (`POST /api/plan`), or only the operator'),
  paid_until: instant
    .nullable()
    .describe('The end of this month of pro, if it was paid in advance'),
})
export type Plan = z.infer<typeof plan>

/** A move from one tier to another. */
export const planChange = named('PlanChange', {
  from: tier,
  to: tier,
  by: z
    .enum(planChangers)
    .describe('`system`: an unpaid invoice ended pro, or its payment restored it'),
  at: instant,
})
export type PlanChange = z.infer<typeof planChange>

/** An account's invoice for a month. */
export const invoice = named('PlanInvoice', {
  id: z.uuid(),
  month: z.string().describe('YYYY-MM, in UTC'),
  kind: z
    .enum(['pro'])
    .describe('`pro`: a month of the pro tier, charged once however often the tier was changed'),
  amount_minor: z.int(),
  text: amountText,
  currency,
  created_at: instant,
})
export type PlanInvoice = z.infer<typeof invoice>
