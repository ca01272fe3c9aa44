import { accountOf, type Context } from '../../contract/operation.ts'
import { type ErrorFacts, Refusal, refuse } from '../../contract/rules/errors.ts'
import { paymentsOf } from '../../payments/operations/payments-of.ts'
import type { WantedPayment } from '../../payments/steps/pay.ts'
import { selectCustomer } from '../../payments/store/customers.ts'
import type { X402Terms } from '../rules/terms.ts'
import { paymentRequired, type What } from './payment-required.ts'
import { quote } from './quote.ts'

/** What a call may pay for: the route of the call, and what its account owes, if anything. */
export type Owed = { route: string; find(): Promise<WantedPayment | undefined> }

/** What an account owes as a 402 says it; undefined where its currency has no rate. */
function offerOf(
  ctx: Context,
  terms: X402Terms,
  { route }: Owed,
  { account, purpose, dueId, amountMinor: minor, currency, description }: WantedPayment,
): What | undefined {
  const rate = terms.rates[currency]
  if (rate === undefined) return undefined
  const month = dueId === null ? ctx.at.toISOString().slice(0, 7) : null
  const subject = { account_id: account.id, purpose, due_id: dueId, month }
  const price = { minor, currency, rate, subject }
  const requirements = quote(ctx, terms, price)
  const resource = ctx.resource ?? `${ctx.settings.publicUrl}${route}`
  return { requirements, price, resource, description }
}

/** The offer, or `payment_unavailable`. */
export function requireOffer(
  ctx: Context,
  terms: X402Terms,
  owed: Owed,
  wanted: WantedPayment,
): What {
  const offer = offerOf(ctx, terms, owed, wanted)
  if (offer) return offer
  const what = `There is no rate for ${wanted.currency} here, so x402 cannot pay it.`
  throw refuse('payment_unavailable', what)
}

/** Adds to a refusal that asks for a card how a wallet pays the same. */
export async function withOffer(
  ctx: Context,
  terms: X402Terms,
  owed: Owed,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal) || error.data.code !== 'payment_required') return error
  const wanted = await owed.find()
  if (!wanted) return error
  const { facts } = error.data
  const offer = facts.pay_url
    ? offerOf(ctx, terms, owed, wanted)
    : requireOffer(ctx, terms, owed, wanted)
  return offer ? bothWays(paymentRequired(offer), facts) : error
}

function bothWays({ data }: Refusal, facts: ErrorFacts): Refusal {
  const card = facts.pay_url ? ` Your user can pay by card at ${facts.pay_url} instead.` : ''
  const message = `${data.message}${card}`
  return new Refusal({ ...data, message, facts: { ...facts, ...data.facts } })
}

/** Whether nothing but a wallet can pay for an account. */
export async function hasNoCard(ctx: Context): Promise<boolean> {
  const { provider } = paymentsOf(ctx)
  const customer = await selectCustomer(ctx.db, accountOf(ctx).id, provider.name)
  return customer?.method_id == null
}
