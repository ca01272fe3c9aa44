import { depositNote } from '../../availability/rules/deposit.ts'
import { type ErrorFacts, type Refusal, refuse } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import { assetText } from '../rules/amount.ts'
import type { Requirements, SettleResponse } from '../schema.ts'
import type { Price } from './quote.ts'

/** x402 v2 `PaymentRequired`; each door writes it in its protocol's form. */
export type PaymentRequired = {
  x402Version: 2
  error: string
  resource: { url: string; description: string; mimeType: string }
  accepts: Requirements[]
}

/** The price and its purpose. */
export type What = {
  requirements: Requirements
  price: Price
  resource: string
  description: string
}

/** `payment_required`: the price in words and for the caller's x402 client. */
export function paymentRequired(what: What): Refusal {
  const { deposit } = what.price
  const text = `${what.description} is ${pricesOf(what)}.`
  const beside = deposit ? ` ${depositNote(deposit)}` : ''
  return refuse('payment_required', text + beside, facts(what, 'payment required'))
}

/** `payment_rejected`, with a new quote; nothing was charged. */
export function paymentRejected(what: What, reason: string, settled?: SettleResponse): Refusal {
  const text = `The payment was not accepted (${reason}).`
  return refuse('payment_rejected', text, {
    ...facts(what, reason),
    reason,
    ...(settled && { settlement: settled }),
  })
}

const pricesOf = ({ price, requirements }: What) =>
  `${money(price.minor, price.currency)}, paid as ${assetText(BigInt(requirements.amount))}`

function facts({ requirements, resource, description, price }: What, error: string): ErrorFacts {
  const payment: PaymentRequired = {
    x402Version: 2,
    error,
    resource: { url: resource, description, mimeType: 'application/json' },
    accepts: [requirements],
  }
  return { payment, ...(price.deposit && { deposit: price.deposit }) }
}
