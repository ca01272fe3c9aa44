import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { makeKey } from '../../../test/support/agent.ts'
import { decoded, openWallet, posting } from '../../../test/x402/pay.ts'
import type { Arena } from '../arena.ts'

/** The initial balance of each wallet, in USDC. */
export const FUNDS = 20
const TIMEOUT_MS = 300_000
const PAUSE_MS = 200

type Shop = {
  url: string
  db: Pool
  arena: Arena
  slotTime: string
  /** aborts every attempt */
  closed: AbortSignal
}
type Habits = {
  /** has an account on the free tier, and cancels its booking */
  cancels: boolean
  /** signs a new payment if it gets no answer, instead of resending the same one */
  signsAnew: boolean
}
type Body = { booking?: { id: string; status: string }; payment?: { success: boolean } }
type Answer = { status: number; text: string; body: Body; headers: Headers }
type Send = () => Promise<Response>

/**
 * Buys one booking with a new wallet as an x402 client does, however many processes die. Returns
 * the booking's id; throws errors that no buyer should meet.
 */
export async function buy(shop: Shop, { cancels, signsAnew }: Habits): Promise<string> {
  const persist = persistUntil(shop.closed)
  /** The first final answer, however often the request must be repeated. */
  const finalAnswer = (send: Send) => persist(() => answerTo(send))
  const wallet = await persist(() => openWallet(shop.db, FUNDS))
  const key = cancels ? (await persist(() => makeKey(shop.db, 'free'))).key : undefined
  const account: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const request = { venue_id: shop.arena.id, slot_time: shop.slotTime, party_size: 1 }
  const book = (payment: Record<string, string> = {}) =>
    fetchFrom(`${shop.url}/api/bookings`, posting(request, { ...account, ...payment }))
  const payFor = async ({ headers }: Answer) => {
    const required = decoded(headers.get('payment-required'))
    const payment = await wallet.client.createPaymentPayload(required)
    const header = Buffer.from(JSON.stringify(payment)).toString('base64')
    return () => book({ 'payment-signature': header })
  }

  const bought = await persist(async () => {
    const asked = await finalAnswer(book)
    if (asked.status !== 402) return asked
    const pay = await payFor(asked)
    const answer = await (signsAnew ? answerTo : finalAnswer)(pay)
    // Rejected without being charged, so the buyer pays the new quote.
    if (answer.status === 402) throw unexpected('a booking', answer)
    if (signsAnew) return answer
    const again = await finalAnswer(pay)
    return { ...answer, isSame: again.text === answer.text }
  })
  if ('isSame' in bought && !bought.isSame) throw unexpected('one answer, not two', bought)
  const { booking, payment } = bought.body
  if (bought.status > 201 || !booking || !payment?.success) throw unexpected('a booking', bought)
  if (cancels) {
    const headers = { ...account, 'idempotency-key': randomUUID() }
    const url = `${shop.url}/api/bookings/${booking.id}/cancel`
    const cancelled = await finalAnswer(() => fetchFrom(url, posting({}, headers)))
    if (cancelled.body.booking?.status !== 'cancelled') throw unexpected('cancelled', cancelled)
  }
  return booking.id
}

const unexpected = (expected: string, { status, text }: Answer) =>
  new Error(`a buyer waited for ${expected}, and got ${status} ${text.slice(0, 500)}`)

const fetchFrom = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })

/** An answer other than "later"; throws if there is none. */
async function answerTo(send: Send): Promise<Answer> {
  const response = await send()
  const { status, headers } = response
  const text = await response.text()
  if (status === 202 || status === 503) throw new Error(`${status}: ${text}`)
  return { status, text, body: JSON.parse(text), headers }
}

/** Retries until it succeeds, for five minutes. */
const persistUntil =
  (closed: AbortSignal) =>
  async <T>(act: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + TIMEOUT_MS
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (closed.aborted || performance.now() > deadline) throw error
        await setTimeout(PAUSE_MS)
      }
    }
  }
