import type { Stripe } from 'stripe'
import type { Charge, Refunded } from '../rules/provider.ts'

/** Errors after which a request may have been done all the same. */
const isUnsure = (type: string | undefined) =>
  type === 'StripeConnectionError' ||
  type === 'StripeAPIError' ||
  type === 'StripeRateLimitError' ||
  type === 'StripeIdempotencyError'

type StripeFailure = {
  type?: string
  code?: string
  decline_code?: string
  payment_intent?: { id: string }
}

const idOf = (thing: string | { id: string } | null): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id

/** What a PaymentIntent says. One that waits for the customer has failed: nobody is there. */
export function chargeOf(intent: Stripe.PaymentIntent): Charge {
  const known = { providerId: intent.id }
  switch (intent.status) {
    case 'succeeded':
      return { ...known, state: 'succeeded', methodId: idOf(intent.payment_method) }
    case 'processing':
    case 'requires_capture':
      return { ...known, state: 'processing' }
    case 'requires_action':
    case 'requires_confirmation':
      return { ...known, state: 'failed', reason: 'authentication_required' }
    default:
      return { ...known, state: 'failed', reason: reasonOf(intent) }
  }
}

function reasonOf({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  return error?.decline_code ?? error?.code ?? status
}

/** What a Checkout Session says: while it is open the customer may try another card. */
export function pageChargeOf(session: Stripe.Checkout.Session): Charge {
  if (session.status === 'open') return { state: 'open' }
  const intent = session.payment_intent
  if (intent && typeof intent !== 'string') return chargeOf(intent)
  if (session.status === 'expired') return { state: 'failed', reason: 'page_expired' }
  return { state: 'processing' }
}

/**
 * What an error of a charge says. Rethrows what is wrong with our own key or request before Stripe
 * looked at the card: that is nobody’s failed payment.
 */
export function failedChargeOf(error: unknown): Charge {
  const { type, code, decline_code, payment_intent } = error as StripeFailure
  if (isUnsure(type)) return { state: 'unknown' }
  if (type !== 'StripeCardError' && type !== 'StripeInvalidRequestError') throw error
  const reason = decline_code ?? code ?? 'request_refused'
  return { state: 'failed', reason, providerId: payment_intent?.id }
}

/** What a Refund says. */
export function refundedOf({ id, status, failure_reason }: Stripe.Refund): Refunded {
  if (status === 'succeeded') return { state: 'succeeded', providerId: id }
  if (status === 'failed' || status === 'canceled') {
    return { state: 'failed', providerId: id, reason: failure_reason ?? status }
  }
  return { state: 'processing', providerId: id }
}

/** What an error of a refund says; rethrows as `failedChargeOf` does. */
export function failedRefundOf(error: unknown): Refunded {
  const { type, code } = error as StripeFailure
  if (isUnsure(type)) return { state: 'unknown' }
  if (type !== 'StripeInvalidRequestError') throw error
  return { state: 'failed', reason: code ?? 'request_refused' }
}
