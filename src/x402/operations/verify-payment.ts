import { refuse } from '../../base/errors.ts'
import type { Context } from '../../contract/operation.ts'
import type { Facilitator, PaymentPayload } from '../rules/facilitator.ts'
import { isAccepted } from '../rules/settlement.ts'
import { lifeFault, type X402Terms } from '../rules/terms.ts'
import { paymentRejected, type What } from './payment-required.ts'
import { isQuoteFor } from './quote.ts'
import type { SentPayment } from './read-payment.ts'

/** The facilitator and terms of a payment. */
export type Paying = { facilitator: Facilitator; terms: X402Terms }
/** Verifies that a payment covers exactly this quote; throws `payment_rejected` with a new one. */
export async function verifyPayment(
  ctx: Context,
  { facilitator, terms }: Paying,
  payment: SentPayment,
  what: What,
): Promise<PaymentPayload> {
  if (payment.accepted && !isQuoteFor(ctx, terms, what.price, payment.accepted)) {
    throw paymentRejected(what, 'quote_outdated', ctx)
  }
  const accepted = payment.accepted ?? what.requirements
  const payload = { x402Version: 2, accepted, payload: payment.payload } as const
  // The lookup on the chain expects these exact terms, even if a facilitator is less strict.
  const { to: recipient, value: amount } = payment.payload.authorization
  if (!isAccepted({ recipient, amount }, accepted)) {
    throw paymentRejected(what, 'authorization_mismatch', ctx)
  }
  const life = lifeFault(payment.payload.authorization, ctx.at)
  if (life) throw paymentRejected(what, life, ctx)
  const fault = await facilitator.verify(payload).catch(() => {
    throw refuse('service_unavailable', 'The payment could not be verified.', { retry_after: 5 })
  })
  if (fault) throw paymentRejected(what, fault, ctx)
  return payload
}
