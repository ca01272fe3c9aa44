import { randomUUIDv7 } from 'node:crypto'
import { digestOf } from '../../contract/idempotency.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { money } from '../../contract/rules/money.ts'
import { paymentsOf } from '../../payments/operations/payments-of.ts'
import { isInFlight, X402 } from '../../payments/rules/payments.ts'
import { endPage, unavailable, type WantedPayment } from '../../payments/steps/pay.ts'
import { paymentRefusal } from '../../payments/steps/required.ts'
import {
  insertPayment as insertOwedPayment,
  lockPayer,
  type Payment as OwedPayment,
  selectInFlight,
  selectPayment,
} from '../../payments/store/payments.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { PaymentPayload } from '../facilitator.ts'
import type { SettleResponse } from '../schema.ts'
import { selectOptionalOwed } from '../store/owed-payments.ts'
import { insertPayment, selectOptionalPayment } from '../store/payments.ts'
import { receiptOf } from './confirm-paid.ts'
import { type Owed, requireOffer } from './owed.ts'
import { paymentRejected, type What } from './payment-required.ts'
import { authorizationOf, payloadHash, readPayment, type SentPayment } from './read-payment.ts'
import { type Paying, verifyPayment } from './verify-payment.ts'

/** What a wallet has paid: the payment as its account sees it, and the receipt of the wallet. */
export type Paid = { payment: OwedPayment; receipt: SettleResponse }

/** How long a caller waits for its payment to be settled. */
const WAIT_SECONDS = 15

/**
 * Pays what an account owes with the payment of the call. Undefined if nothing is owed: the payment
 * then lapses. The same payment again gives the same receipt, and is never charged twice. While
 * nobody can tell what became of it, it throws `payment_pending`.
 */
export async function payOwed(ctx: Context, paying: Paying, owed: Owed): Promise<Paid | undefined> {
  const { terms } = paying
  const sent = readPayment(ctx.payment, terms)
  const earlier = await selectOptionalPayment(ctx.db, authorizationOf(sent, terms))
  if (earlier) {
    const isSame = payloadHash(sent).equals(earlier.payload_hash)
    const isOwn = earlier.account_id === accountOf(ctx).id && earlier.booking_id === null
    if (!isSame || !isOwn) throw refuse('payment_reused')
    return settled(ctx, paying, owed, earlier.id)
  }
  const wanted = await owed.find()
  if (!wanted) return undefined
  const what = requireOffer(ctx, terms, owed, wanted)
  const payment = await verifyPayment(ctx, paying, sent, what)
  const payments = paymentsOf(ctx)
  const other = await endPage(payments, wanted, ctx.at).catch((error: unknown) =>
    unavailable(payments, error),
  )
  if (other) return onlyIfPaid(other)
  const id = randomUUIDv7()
  if (await store(ctx, { id, sent, payment, what, wanted })) return settled(ctx, paying, owed, id)
  const { account, dueId, purpose } = wanted
  const isPro = purpose === 'pro'
  const first = await selectInFlight(ctx.db, { accountId: account.id, dueId, isPro })
  return first && onlyIfPaid(first)
}

/** Another attempt has paid it, or may: this one is not sent. */
function onlyIfPaid(other: OwedPayment): undefined {
  if (other.state !== 'succeeded') throw paymentRefusal(other)
}

type Stored = {
  id: string
  sent: SentPayment
  payment: PaymentPayload
  what: What
  wanted: WantedPayment
}

/** Stores a verified payment; false if another one for the same is in flight or has succeeded. */
const store = (ctx: Context, { id, sent, payment, what: { price }, wanted }: Stored) =>
  transaction(ctx.db, async (tx) => {
    const { account, purpose, dueId } = wanted
    await lockPayer(tx, account.id)
    const isFirst = await insertOwedPayment(tx, {
      ...{ id, account_id: account.id, purpose, due_id: dueId, amount_minor: price.minor },
      ...{ currency: price.currency, provider: X402, at: ctx.at },
      ...({ state: 'processing', made_by: 'customer' } as const),
    })
    if (!isFirst) return false
    const isNew = await insertPayment(tx, {
      ...{ id, accountId: account.id, bookingId: null, payment, priceMinor: price.minor },
      deposit: { minor: 0, amount: 0n },
      ...{ currency: price.currency, rate: price.rate, at: ctx.at },
      payer: payment.payload.authorization.from,
      payloadHash: payloadHash(sent),
      requirementsHash: digestOf(ctx, price).newest,
    })
    if (!isNew) throw refuse('payment_reused')
    return true
  })

/** What a payment came to. One that failed gets a new quote. */
async function settled(
  ctx: Context,
  { terms }: Paying,
  owed: Owed,
  id: string,
): Promise<Paid | undefined> {
  const begun = await read(ctx, id)
  const text = money(begun.stored.price_minor, begun.stored.currency)
  // Without its workflow the payment stays as it is, and the sweep starts one.
  if (isInFlight(begun.payment)) {
    await ctx.engine.settlePayment({ paymentId: id, text }, WAIT_SECONDS).catch(() => {})
  }
  const { stored, payment } = await read(ctx, id)
  const receipt = receiptOf(stored)
  if (payment.state === 'succeeded') return { payment, receipt }
  if (payment.state !== 'failed') throw paymentRefusal(payment)
  const wanted = await owed.find()
  if (!wanted) return undefined
  const what = requireOffer(ctx, terms, owed, wanted)
  throw paymentRejected(what, stored.error ?? 'unsettled', receipt)
}

async function read({ db }: Context, id: string) {
  const [stored, payment] = await Promise.all([selectOptionalOwed(db, id), selectPayment(db, id)])
  if (!stored || !payment) throw new Error(`no payment ${id}`)
  return { stored, payment }
}
