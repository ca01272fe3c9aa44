import type { FastifyRequest } from 'fastify'
import { type ErrorFacts, type RefusalData, refuse } from '../../base/errors.ts'
import type { PaymentRequired } from '../../x402/operations/payment-required.ts'
import { namesInV1 } from '../../x402/rules/terms.ts'
import { type SettleResponse, settleResponse } from '../../x402/schema.ts'
import { isDeeper } from '../http/json-body.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The payment in a request (x402 HTTP transport, version 2 or 1). Throws `payment_malformed`. */
export function paymentOf({ headers }: FastifyRequest): unknown {
  const text = headers['payment-signature'] ?? headers['x-payment']
  if (typeof text !== 'string') return undefined
  try {
    const value = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    if (isDeeper(value)) throw new RangeError('nested too deeply')
    return value
  } catch {
    throw refuse('payment_malformed')
  }
}

/** The payment requirements in a refusal, and the outcome of a payment if one was made. */
export const requiredBy = ({ facts }: RefusalData) => facts.payment as PaymentRequired | undefined
export const settlementOf = ({ facts }: RefusalData) =>
  facts.settlement as SettleResponse | undefined

/** The refusal without the fields that the protocol expresses in its own way. */
export function withoutPayment(refusal: RefusalData): RefusalData {
  const { payment: _, settlement: __, ...facts } = refusal.facts
  return { ...refusal, facts }
}

/** The header fields of a refusal that requires payment. */
export function requiredHeaders(refusal: RefusalData): Record<string, string> {
  const required = requiredBy(refusal)
  const settlement = settlementOf(refusal)
  return {
    ...(required && { 'payment-required': encode(required), 'cache-control': 'no-store' }),
    ...(settlement && settledHeaders(settlement)),
  }
}

/** The receipt in an answer, if a payment was made. */
export function receiptIn(output: Record<string, unknown>): SettleResponse | undefined {
  const result = settleResponse.safeParse(output.payment)
  return result.success ? result.data : undefined
}

/** The header fields with a payment's outcome, for clients of either version. */
export const settledHeaders = (receipt: SettleResponse): Record<string, string> => ({
  'payment-response': encode(receipt),
  'x-payment-response': encode(receipt),
})

/** A problem's members for version 1 clients, which expect the requirements in the body. */
export function forVersion1(facts: ErrorFacts): ErrorFacts {
  const { payment, ...others } = facts
  if (!payment) return facts
  const { error, resource, accepts } = payment as PaymentRequired
  return {
    ...others,
    x402Version: 1,
    error,
    accepts: accepts.map(({ network, amount, extra, ...one }) => ({
      ...one,
      network: namesInV1[network] ?? network,
      maxAmountRequired: amount,
      resource: resource.url,
      description: resource.description,
      mimeType: resource.mimeType,
      extra: { name: extra.name, version: extra.version },
    })),
  }
}
