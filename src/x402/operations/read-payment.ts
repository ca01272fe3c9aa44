import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { refuse } from '../../base/errors.ts'
import type { PaymentPayload } from '../rules/facilitator.ts'
import { namesInV1, type X402Terms } from '../rules/terms.ts'
import { type Requirements, sentPayment } from '../schema.ts'

/** A payment as a client sent it: version 1 does not repeat what the client accepted. */
export type SentPayment = { accepted: Requirements | undefined; payload: PaymentPayload['payload'] }

/** Reads a call's payment; throws `payment_malformed`. */
export function readPayment(input: unknown, terms: X402Terms): SentPayment {
  const parsed = sentPayment.safeParse(input)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'the payment'
    throw refuse('payment_malformed', `The payment cannot be read (${where}).`)
  }
  const { data } = parsed
  if (data.x402Version === 2) return { accepted: data.accepted, payload: data.payload }
  const isOurs = data.scheme === 'exact' && data.network === namesInV1[terms.network]
  if (!isOurs) throw refuse('payment_malformed', 'The payment is for another network or scheme.')
  return { accepted: undefined, payload: data.payload }
}

/** Distinguishes payments: an authorisation is public on the chain, its quote is not. */
export const payloadHash = ({ accepted, payload }: SentPayment): Buffer =>
  createHash('sha256')
    .update(canonicalize({ accepted: accepted ?? null, payload }) ?? '')
    .digest()

/** The wallet and nonce of an authorisation, which can transfer money only once. */
export const authorizationOf = ({ payload }: SentPayment, { network }: X402Terms) => ({
  network,
  payer: payload.authorization.from,
  nonce: payload.authorization.nonce,
})
