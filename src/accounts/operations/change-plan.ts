import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import { withTexts } from '../../contract/local-times.ts'
import { accountOf, defineOperation, requireLive } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { PlanContext } from '../hooks.ts'
import { invoice, type Offer, offer, plan, planChange, tier } from '../schema/plan.ts'
import { movePlan, selectInvoices, selectPlanChanges } from '../store/plans.ts'
import { quotaOf } from './read-usage.ts'

/** Two years of invoices. */
const MAX_SHOWN = 24

export const getPlan = defineOperation({
  name: 'plan',
  summary: 'Read the plan of your account',
  description:
    'Returns the account’s tier, the tiers with prices, and the latest plan changes and invoices.',
  scope: 'usage',
  part: 'plan',
  input: z.strictObject({}),
  output: z.object({
    plan,
    offers: z.array(offer),
    changes: z.array(planChange).describe('Newest first'),
    invoices: z.array(invoice).describe('Newest first'),
  }),
  async run(ctx: PlanContext) {
    const { id } = accountOf(ctx)
    return {
      plan: await planOf(ctx),
      offers: [offerOf(ctx, 'free', 0), offerOf(ctx, 'pro', ctx.settings.proMonthlyUsd)],
      changes: await selectPlanChanges(ctx.db, id, MAX_SHOWN),
      invoices: await selectInvoices(ctx.db, id, MAX_SHOWN),
    }
  },
})

export const changePlan = defineOperation({
  name: 'change plan',
  summary: 'Move your account to another tier',
  description:
    'Moves the account to free or pro, immediately and for every key. A month is invoiced ' +
    'once, however often you change. Where the network collects payments, pro is paid first: ' +
    'with the card on file, or on the page that `payment_required` names. On the free tier ' +
    'existing bookings stay valid: they can be read and cancelled.',
  scope: 'keys',
  part: 'plan',
  audit: 'plan.changed',
  input: z.strictObject({ tier }),
  output: z.object({
    plan,
    changed: z.boolean().describe('false: the account already had this tier'),
    invoices: z
      .array(invoice)
      .optional()
      .describe('Newest first; only for keys with the scope `usage`'),
  }),
  errors: ['live_key_required', 'upgrade_by_operator', 'payment_required', 'payment_pending'],
  async run(ctx: PlanContext, { tier: to }) {
    requireLive(ctx)
    const { id, tier } = accountOf(ctx)
    const { proUpgrade, proMonthlyUsd } = ctx.settings
    const isOperators = to === 'pro' && proUpgrade === 'operator'
    if (isOperators && tier !== 'pro') {
      throw refuse('upgrade_by_operator', undefined, { account_id: id })
    }
    const isBought = to === 'pro' && ctx.billing !== undefined
    if (isBought && tier !== 'pro') await ctx.billing?.buyPro(ctx)
    const proMonthlyMinor = proMonthlyUsd * 100
    const move = { accountId: id, to, by: 'developer', proMonthlyMinor, at: ctx.at } as const
    // Upgrades that are paid, or that only the operator can make, are recorded elsewhere.
    const before = isBought
      ? tier
      : isOperators
        ? to
        : await transaction(ctx.db, async (tx) => {
            const from = await movePlan(tx, move)
            if (from !== to) await recordAudit(tx, ctx, 'plan.changed', { details: { from, to } })
            return from
          })
    const hasUsage = ctx.scopes.includes('usage')
    return {
      plan: await planOf(ctx),
      changed: before !== to,
      ...(hasUsage && { invoices: await selectInvoices(ctx.db, id, MAX_SHOWN) }),
    }
  },
})

async function planOf(ctx: PlanContext): Promise<z.infer<typeof plan>> {
  const { feePct, proUpgrade } = ctx.settings
  const { tier, limit } = await quotaOf(ctx)
  const upgrade_by = proUpgrade === 'self' ? 'developer' : 'operator'
  const { mode } = accountOf(ctx)
  const hasPlan = tier === 'pro' || mode === 'test'
  const hasCard = !hasPlan && (await ctx.billing?.paysByCard(accountOf(ctx)))
  const pays = hasPlan ? 'plan' : hasCard ? 'card' : 'nothing'
  const paid_until = (await ctx.billing?.paidUntil(accountOf(ctx), ctx.at)) ?? null
  return { tier, requests_per_day: limit, pays, fee_pct: feePct, upgrade_by, paid_until }
}

const offerOf = ({ settings }: PlanContext, tier: Offer['tier'], usd: number): Offer => ({
  tier,
  requests_per_day: settings.requestsPerDay[tier],
  books: tier === 'pro',
  monthly_price: withTexts({ amount_minor: usd * 100, text: '', currency: 'USD' }),
})
