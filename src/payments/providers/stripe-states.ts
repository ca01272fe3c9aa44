import type { Stripe } from 'stripe'
import type { Charge, Refunded, SavedMethod } from '../rules/provider.ts'
import { minorOfStripe } from '../rules/stripe-amount.ts'

/** Errors after which Stripe may still have carried out the request. */
const isUnsure = (type: string | undefined) =>
  type === 'StripeConnectionError' ||
  type === 'StripeAPIError' ||
  type === 'StripeRateLimitError' ||
  type === 'StripeIdempotencyError'

type StripeFailure = {
  type?: string
  code?: string
  decline_code?: string
  param?: string
  payment_intent?: { id: string }
}

/** A payment method, with its card if Stripe was told to expand it. */
export function methodOf(
  method: string | Stripe.PaymentMethod | null | undefined,
): SavedMethod | undefined {
  if (!method) return undefined
  if (typeof method === 'string') return { id: method }
  const { id, card } = method
  return { id, ...(card && { card: { brand: brandName(card.brand), last4: card.last4 } }) }
}

/** Stripe's name of a brand as people write it: `visa` is Visa. */
const brandName = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1)

/** A PaymentIntent's charge. If it awaits the customer, who is absent, it has failed. */
export function chargeOf(intent: Stripe.PaymentIntent): Charge {
  const ref = { providerId: intent.id }
  switch (intent.status) {
    case 'succeeded': {
      const amountMinor = minorOfStripe(intent.amount_received, intent.currency)
      return { ...ref, state: 'succeeded', amountMinor, method: methodOf(intent.payment_method) }
    }
    case 'requires_capture':
      return { ...ref, state: 'authorized', method: methodOf(intent.payment_method) }
    case 'processing':
      return { ...ref, state: 'processing' }
    case 'requires_action':
    case 'requires_confirmation':
      return { ...ref, state: 'failed', reason: 'authentication_required' }
    default:
      return { ...ref, state: 'failed', reason: reasonOf(intent) }
  }
}

function reasonOf({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  return error?.decline_code ?? error?.code ?? status
}

/** The charge of a Checkout Session; while it is open, the customer may try another card. */
export function pageChargeOf(session: Stripe.Checkout.Session): Charge {
  if (session.status === 'open') return { state: 'open' }
  const intent = session.payment_intent
  if (intent && typeof intent !== 'string') return chargeOf(intent)
  if (session.status === 'expired') return { state: 'failed', reason: 'page_expired' }
  return { state: 'processing' }
}

/**
 * The outcome of a charge that threw. Rethrows errors in our own key or request, which Stripe finds
 * before it checks the card, because those are not failed payments.
 */
export function failedChargeOf(error: unknown): Charge {
  const { type, code, decline_code, param, payment_intent } = error as StripeFailure
  if (isUnsure(type)) return { state: 'unknown' }
  if (type !== 'StripeCardError' && type !== 'StripeInvalidRequestError') throw error
  const isCurrency = param === 'currency' && 'currency_not_supported'
  const reason = decline_code ?? (isCurrency || code) ?? 'request_refused'
  return { state: 'failed', reason, providerId: payment_intent?.id }
}

/** The outcome of a Refund. */
export function refundedOf({ id, status, failure_reason }: Stripe.Refund): Refunded {
  if (status === 'succeeded') return { state: 'succeeded', providerId: id }
  if (status === 'failed' || status === 'canceled') {
    return { state: 'failed', providerId: id, reason: failure_reason ?? status }
  }
  return { state: 'processing', providerId: id }
}

/** The outcome of a refund that threw; rethrows like `failedChargeOf`. */
export function failedRefundOf(error: unknown): Refunded {
  const { type, code } = error as StripeFailure
  if (isUnsure(type)) return { state: 'unknown' }
  if (type !== 'StripeInvalidRequestError') throw error
  return { state: 'failed', reason: code ?? 'request_refused' }
}
