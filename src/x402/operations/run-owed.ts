import { changedPlan } from '../../accounts/operations/change-plan.ts'
import { accountOf, type Context, type Operation } from '../../contract/operation.ts'
import { shownPayment } from '../../payments/schema.ts'
import { wantedForPro } from '../../payments/steps/buy-pro.ts'
import { type WantedPayment, wantedOf } from '../../payments/steps/pay.ts'
import { selectUnpaid } from '../../payments/store/dues.ts'
import { hasNoCard, requireOffer, withOffer } from './owed.ts'
import { type Paid, payOwed } from './pay-owed.ts'
import { paymentRequired } from './payment-required.ts'
import type { Paying } from './verify-payment.ts'

type Input = Record<string, unknown>

/** A call that an account pays what it owes with. */
export type OwedCall = {
  route: string
  /** the field of its answer with the receipt of the wallet */
  receipt: 'payment' | 'receipt'
  /** what the call asks to pay; undefined if that is nothing */
  find(ctx: Context, input: Input): Promise<WantedPayment | undefined>
  /** Whether the operation would let an account without a card go unpaid. */
  asksFirst?(ctx: Context): boolean
  /** the answer once a wallet has paid */
  answer(ctx: Context, paid: Paid): Promise<Input>
}

/** Moving to pro pays the month, and asking for pro again the one that has begun. */
export const proCall: OwedCall = {
  route: '/api/plan',
  receipt: 'payment',
  async find(ctx, { tier: to }) {
    const { id, name, tier } = accountOf(ctx)
    const { proMonthlyUsd, proUpgrade } = ctx.settings
    if (to !== 'pro' || (tier !== 'pro' && proUpgrade === 'operator')) return undefined
    const wanted = await wantedForPro(ctx, { id, name }, proMonthlyUsd * 100, ctx.at)
    // A month of an account on pro is charged by the network first.
    return tier === 'pro' && !wanted?.dueId ? undefined : wanted
  },
  asksFirst: (ctx) => accountOf(ctx).tier === 'pro',
  answer: (ctx) => changedPlan(ctx, accountOf(ctx).tier !== 'pro'),
}

/** Paying something that is due. */
export const dueCall: OwedCall = {
  route: '/api/payments',
  receipt: 'receipt',
  async find(ctx, { due_id }) {
    const account = accountOf(ctx)
    const due = (await selectUnpaid(ctx.db, account.id)).find(({ id }) => id === due_id)
    return due && wantedOf(account, due)
  },
  answer: async (_, { payment }) => ({ payment: shownPayment(payment) }),
}

/**
 * Runs an operation that asks for money. A call with a payment is paid from its wallet. Without
 * one, the 402 says how a wallet pays, beside the page for a card.
 */
export async function runOwed(
  ctx: Context,
  paying: Paying,
  { operation, call, input }: { operation: Operation; call: OwedCall; input: Input },
): Promise<Input> {
  const { terms } = paying
  const owed = { route: call.route, find: () => call.find(ctx, input) }
  if (ctx.payment !== undefined) {
    const paid = await payOwed(ctx, paying, owed)
    if (paid) return { ...(await call.answer(ctx, paid)), [call.receipt]: paid.receipt }
  }
  if (call.asksFirst?.(ctx) && (await hasNoCard(ctx))) {
    const wanted = await owed.find()
    if (wanted) throw paymentRequired(requireOffer(ctx, terms, owed, wanted))
  }
  try {
    return await operation.run(ctx, input)
  } catch (error) {
    throw await withOffer(ctx, terms, owed, error)
  }
}
