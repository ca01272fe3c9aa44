import type { RefusalData } from '../../base/errors.ts'
import type { SettleResponse } from '../../x402/schema.ts'
import { requiredBy, settlementOf } from '../calls/payments.ts'

/** The URI of the A2A x402 extension, version 0.2, which the Agent Card declares. */
export const X402_EXTENSION =
  'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

type Meta = Record<string, unknown>

/** The payment metadata of a refusal (A2A x402 extension, section 5). */
export function paymentMeta(refusal: RefusalData): Meta {
  const required = requiredBy(refusal)
  if (!required) return {}
  const settlement = settlementOf(refusal)
  const isRejected = refusal.code === 'payment_rejected'
  return {
    'x402.payment.status': isRejected ? 'payment-failed' : 'payment-required',
    'x402.payment.required': required,
    ...(isRejected && { 'x402.payment.error': refusal.facts.reason }),
    ...(settlement && { 'x402.payment.receipts': [settlement] }),
  }
}

/** The payment metadata of an answer that was paid for. */
export const receiptMeta = (receipt: SettleResponse | undefined): Meta =>
  receipt ? { 'x402.payment.status': 'payment-completed', 'x402.payment.receipts': [receipt] } : {}
