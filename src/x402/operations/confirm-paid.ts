import { randomUUIDv7 } from 'node:crypto'
import { Refusal, refuse } from '../../base/errors.ts'
import { answerOf, wholeSlot } from '../../bookings/operations/confirm-booking.ts'
import { openRequest } from '../../bookings/operations/open-request.ts'
import {
  type BookingRequest,
  findRepeated,
  type RequestPayment,
} from '../../bookings/operations/store-request.ts'
import { whyClosed } from '../../bookings/store/limits.ts'
import {
  selectEarlierRequest,
  selectOptionalEarlierRequest,
} from '../../bookings/store/requests.ts'
import { digestOf } from '../../contract/idempotency.ts'
import type { Account } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { X402Context } from '../hooks.ts'
import type { X402Terms } from '../rules/terms.ts'
import type { SettleResponse } from '../schema.ts'
import { accountOfPayer, selectOptionalPayer, type Wallet } from '../store/payers.ts'
import {
  insertPayment,
  type StoredPayment,
  selectOptionalPayment,
  selectOptionalPaymentOf,
} from '../store/payments.ts'
import { paymentRejected, paymentRequired } from './payment-required.ts'
import { type Price, priceOfBooking, quote } from './quote.ts'
import { authorizationOf, payloadHash, readPayment, type SentPayment } from './read-payment.ts'
import { type Paying, verifyPayment } from './verify-payment.ts'

type Repeatable = { idempotency_key?: string | undefined; wait: number }

/**
 * Books a slot for a caller who pays for it: the wallet of the payment, or an account on the free
 * tier. Without a payment, throws `payment_required`, which says what to pay. Repeating a payment
 * returns the same booking and answer; no request is charged twice.
 */
export async function confirmPaid(
  ctx: X402Context,
  paying: Paying,
  input: BookingRequest & Repeatable,
) {
  const { terms } = paying
  const { wait, idempotency_key: key, ...request } = wholeSlot(input)
  const payment = ctx.payment === undefined ? undefined : readPayment(ctx.payment, terms)
  const again = async () => {
    const earlier =
      payment && (await selectOptionalPayment(ctx.db, authorizationOf(payment, terms)))
    return earlier && answerAgain(ctx, { payment, earlier, request, key, wait })
  }
  const replay = await again()
  if (replay) return replay
  let isStored = false
  try {
    // A caller that lost the answer to a paid request need not pay for it again.
    const repeated = ctx.account && (await findRepeated(ctx, request, key))
    if (repeated) {
      const repeats = { earlier: repeated, by: 'content' } as const
      const opened = await openRequest(ctx, 'confirm', request, { key, wait, repeats })
      return withPayment(ctx, answerOf(opened, ctx.at))
    }
    const price = await priceOfBooking(ctx, terms, request)
    if (!price) throw refuse('payment_unavailable')
    const what = offer(ctx, terms, price)
    if (!payment) throw paymentRequired(what, ctx)
    const payload = await verifyPayment(ctx, paying, payment, what)
    const payer = payment.payload.authorization.from
    const wallet = { network: terms.network, address: payer }
    const account = ctx.account ?? (await accountOfPayer(ctx.db, wallet, ctx.at))
    await refuseClosed(ctx.db, account.id, wallet)
    const asPayer = { ...ctx, account }
    const record: RequestPayment['record'] = async (tx, bookingId) => {
      await refuseClosed(tx, account.id, wallet)
      const requirementsHash = digestOf(ctx, price).newest
      const isNew = await insertPayment(tx, {
        id: randomUUIDv7(),
        accountId: account.id,
        bookingId,
        payment: payload,
        payer,
        payloadHash: payloadHash(payment),
        requirementsHash,
        priceMinor: price.minor,
        currency: price.currency,
        rate: price.rate,
        at: ctx.at,
      })
      if (!isNew) throw refuse('payment_reused')
      isStored = true
    }
    // A wallet that lost the answer and signs again joins its booking; its second payment lapses.
    const quoted = { feeMinor: price.minor }
    return await concluded(asPayer, payment, request, { wait, key, payment: { quoted, record } })
  } catch (error) {
    // If the same payment was sent twice at once, the other request may have stored it by now.
    const joined = !isStored && (await again())
    if (!joined) throw error
    return joined
  }
}

/** Throws `account_suspended` if the account that books, or the wallet's, is closed. */
async function refuseClosed(db: Db, accountId: string, wallet: Wallet) {
  const payer = await selectOptionalPayer(db, wallet)
  const closed = (await whyClosed(db, accountId)) ?? (payer && (await whyClosed(db, payer.id)))
  if (closed) throw new Refusal(closed)
}

const offer = (ctx: X402Context, terms: X402Terms, price: Price) => ({
  requirements: quote(ctx, terms, price),
  price,
  resource: ctx.resource ?? `${ctx.settings.publicUrl}/api/bookings`,
  description: 'The fee of this booking',
})

type Again = {
  payment: SentPayment
  earlier: StoredPayment
  request: BookingRequest
  key: string | undefined
  wait: number
}

/** Joins the booking that the payment is for; throws `payment_reused` for any other request. */
async function answerAgain(ctx: X402Context, { payment, earlier, request, key, wait }: Again) {
  const isSame = payloadHash(payment).equals(earlier.payload_hash)
  const isOwn = ctx.account ? ctx.account.id === earlier.account_id : await isPayer()
  if (!isSame || !isOwn) {
    // A stranger gets only the receipt, which is public on the chain anyway.
    const settlement = earlier.transaction === null ? {} : { settlement: receiptOf(earlier) }
    throw refuse('payment_reused', undefined, isSame ? settlement : {})
  }
  const wallet = { network: earlier.network, address: earlier.payer }
  await refuseClosed(ctx.db, earlier.account_id, wallet)
  const account: Account = { id: earlier.account_id, name: '', tier: 'free', mode: 'live' }
  const first = await selectEarlierRequest(ctx.db, earlier.booking_id)
  const asking = { wait, key: null, repeats: { earlier: first, by: 'payment' } } as const
  return concluded({ ...ctx, account }, payment, request, asking)

  /** Whether the caller knows what no chain shows: the quote or, in version 1, its own key. */
  async function isPayer(): Promise<boolean> {
    if (payment.accepted) return true
    if (key === undefined) return false
    const of = { account_id: earlier.account_id, idempotency_key: key, natural_key: null }
    const keyed = await selectOptionalEarlierRequest(ctx.db, of)
    return keyed?.booking_id === earlier.booking_id
  }
}

/** The answer with its payment, the same for each repeat. A failed payment gets a new quote. */
async function concluded(
  ctx: X402Context,
  payment: SentPayment,
  request: BookingRequest,
  asking: Parameters<typeof openRequest>[3],
) {
  try {
    const { replayed: _, ...answer } = answerOf(
      await openRequest(ctx, 'confirm', request, asking),
      ctx.at,
    )
    return await withPayment(ctx, answer, payment)
  } catch (error) {
    if (!(error instanceof Refusal) || error.data.code !== 'payment_rejected') throw error
    const { booking_id: id, reason } = error.data.facts
    const terms = ctx.settings.x402
    if (!terms) throw error
    const price = await priceOfBooking(ctx, terms, request)
    if (!price) throw error
    const row = typeof id === 'string' ? await selectOptionalPaymentOf(ctx.db, id) : undefined
    const receipt = row && receiptOf(row)
    throw paymentRejected(offer(ctx, terms, price), String(reason), ctx, receipt)
  }
}

type Answer = ReturnType<typeof answerOf>

async function withPayment<A extends Answer>(ctx: X402Context, answer: A, payment?: SentPayment) {
  const row = await selectOptionalPaymentOf(ctx.db, answer.booking.id)
  const isItsOwn = payment !== undefined && row?.payload_hash.equals(payloadHash(payment)) === true
  const joined = answer.joined && !isItsOwn
  if (!row?.transaction) return { ...answer, joined }
  const { booking } = answer
  const isOpen = booking.fee.status === 'expected'
  const note = isOpen && 'Paid; refunded if the booking is not confirmed'
  const fee = { ...booking.fee, ...(note && { note }) }
  return { ...answer, booking: { ...booking, fee }, joined, payment: receiptOf(row) }
}

/** x402 `SettleResponse`: the outcome of a payment. */
function receiptOf({ network, payer, transaction, amount, error }: StoredPayment): SettleResponse {
  const common = { network, payer }
  return transaction === null
    ? { success: false, transaction: '', ...common, errorReason: error ?? 'unsettled' }
    : { success: true, transaction, ...common, amount: amount.toString() }
}
