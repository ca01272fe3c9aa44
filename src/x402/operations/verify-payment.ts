import { refuse } from '../../base/errors.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import type { Context } from '../../contract/operation.ts'
import type { Facilitator, PaymentPayload } from '../rules/facilitator.ts'
import { isAccepted } from '../rules/settlement.ts'
import { lifeFault, type X402Terms } from '../rules/terms.ts'
import { paymentRejected, type What } from './payment-required.ts'
import { isQuoteFor } from './quote.ts'
import type { SentPayment } from './read-payment.ts'

/** Where payments go. */
export type Paying = { facilitator: Facilitator; terms: X402Terms }
/** What operations that take payments by x402 use. */
export type X402Services = BookingServices & {
  /** without one nothing is paid by x402 */
  facilitator?: Facilitator | undefined
  /** what the network takes by x402; null where it takes nothing */
  settings: { x402: X402Terms | null }
}
export type X402Context = Context<X402Services>

/**
 * The payment of a call, verified as one for exactly this. Throws `payment_rejected` with a new
 * quote.
 */
export async function verifyPayment(
  ctx: Context,
  { facilitator, terms }: Paying,
  sent: SentPayment,
  what: What,
): Promise<PaymentPayload> {
  if (sent.accepted && !isQuoteFor(ctx, terms, what.price, sent.accepted)) {
    throw paymentRejected(what, 'quote_outdated')
  }
  const accepted = sent.accepted ?? what.requirements
  const payment = { x402Version: 2, accepted, payload: sent.payload } as const
  // The contract is asked for exactly this later, also where a facilitator takes more.
  const { to: recipient, value: amount } = sent.payload.authorization
  if (!isAccepted({ recipient, amount }, accepted)) {
    throw paymentRejected(what, 'authorization_mismatch')
  }
  const life = lifeFault(sent.payload.authorization, ctx.at)
  if (life) throw paymentRejected(what, life)
  const fault = await facilitator.verify(payment).catch(() => {
    throw refuse('service_unavailable', 'The payment could not be verified.', { retry_after: 5 })
  })
  if (fault) throw paymentRejected(what, fault)
  return payment
}
