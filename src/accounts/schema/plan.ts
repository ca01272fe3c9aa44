import { z } from 'zod'
import { currency, instant } from '../../contract/public.ts'

export const tiers = ['free', 'pro'] as const
export const planChangers = ['developer', 'operator'] as const

const price = z.object({ amount_minor: z.int(), currency })

/** What a tier gives and costs. */
export const offer = z.object({
  tier: z.enum(tiers),
  requests_per_day: z.int().describe('Per UTC day, over all doors and keys'),
  books: z.boolean().describe('Whether it may hold, book, amend and watch'),
  monthly_price: price,
})
export type Offer = z.infer<typeof offer>

/** Where an account stands. */
export const plan = z.object({
  tier: z.enum(tiers),
  requests_per_day: z.int().describe('The account’s own limit where it has one, or the tier’s'),
  fee_pct: z.number().describe('Per cent of the estimated spend of each booking'),
  upgrade_by: z
    .enum(planChangers)
    .describe('Who moves the account to pro: `POST /api/plan`, or the operator of the network'),
})
export type Plan = z.infer<typeof plan>

/** A move from one tier to another. */
export const planChange = z.object({
  from: z.enum(tiers),
  to: z.enum(tiers),
  by: z.enum(planChangers),
  at: instant,
})
export type PlanChange = z.infer<typeof planChange>

/** What an account owes for a month. */
export const invoice = z.object({
  id: z.uuid(),
  month: z.string().describe('YYYY-MM, in UTC'),
  kind: z.enum(['pro']).describe('`pro`: the tier, once a month however often it was changed'),
  amount_minor: z.int(),
  currency,
  created_at: instant,
})
export type Invoice = z.infer<typeof invoice>
