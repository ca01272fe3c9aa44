import { depositNote } from '../../availability/rules/deposit.ts'
import { type ErrorFacts, type Refusal, refuse } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import type { Context, DoorName } from '../../contract/operation.ts'
import type { X402Context } from '../hooks.ts'
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

/** `payment_required`: the price in words and for the caller's x402 client, and other ways. */
export function paymentRequired(what: What, caller: Caller): Refusal {
  const { account, billing, door, settings } = caller
  const { deposit, isDemo } = what.price
  const { publicUrl, proUpgrade } = settings
  const byCard = billing ? `have your user save a card (${publicUrl}/dashboard/plan), or ` : ''
  const mover = proUpgrade === 'self' ? `your user (${publicUrl}/dashboard/plan)` : 'the operator'
  const key = account
    ? `${byCard}have ${mover} move the account to pro`
    : `send the key of an account on the pro tier (${publicUrl}/sign-up)`
  const text = [
    ...(isDemo ? ['This is a demo venue: it takes test money, and no one expects your user.'] : []),
    `${what.description} is ${pricesOf(what)}: let your x402 client pay what ` +
      `${termsAt(door)} asks for, or ${key}.`,
    ...(deposit ? [depositNote(deposit)] : []),
  ]
  return refuse('payment_required', text.join(' '), {
    ...facts(what, 'payment required'),
    ...(account && billing && { plan_url: `${publicUrl}/dashboard/plan` }),
  })
}

type Caller = Pick<X402Context, 'account' | 'billing' | 'door' | 'settings'>

/** Where an answer has the payment requirements. */
const termsAt = (door: DoorName) =>
  door === 'a2a' ? '`meta["x402.payment.required"]`' : '`accepts`'

/** `payment_rejected`, with a new quote; nothing was charged. */
export function paymentRejected(
  what: What,
  reason: string,
  { door }: Pick<Context, 'door'>,
  settled?: SettleResponse,
): Refusal {
  const text = `The payment was not accepted (${reason}); the new quote is in ${termsAt(door)}.`
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
