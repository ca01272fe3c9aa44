import { afterAll, beforeAll, expect, test } from 'vitest'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { insertTransfer } from '../../src/local/x402/ledger.ts'
import { toAssetAmount } from '../../src/x402/rules/amount.ts'
import { type AskedSlot, findSlots, openAgent } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { slotWithDeposit } from '../support/slot-with-deposit.ts'
import { decoded, openWallet, posting } from './pay.ts'

let service: Service
let slots: AskedSlot[]
const bookings = () => `${service.url}/api/bookings`
const next = () => slots.shift() as AskedSlot

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  slots = await findSlots(service.agent, 'dinner for 2', 16)
})
afterAll(() => service.close())

const stored = async (payer: string) =>
  (await service.db.query('select * from x402_payment where payer = $1', [payer])).rows

test('a call without a key is told what to pay, for both generations of clients', async () => {
  const response = await fetch(bookings(), posting(next()))
  expect(response.status).toBe(402)
  const required = decoded(response.headers.get('payment-required'))
  const body = (await response.json()) as any
  expect(required).toMatchObject({ x402Version: 2, accepts: [{ scheme: 'exact' }] })
  expect(body).toMatchObject({ code: 'payment_required', status: 402, x402Version: 1 })
  expect(body.accepts[0]).toMatchObject({
    network: 'base-sepolia',
    maxAmountRequired: required.accepts[0].amount,
  })
  expect(body.payment).toBeUndefined()
})

test('a deposit is reported next to the payment, and is not part of it', async () => {
  const rule = { kind: 'deposit', amount_minor: 10_000_000, per: 'guest' } as const
  const { request, slot } = await slotWithDeposit(service.db, rule)
  const response = await fetch(bookings(), posting(request))
  const body = (await response.json()) as any
  expect([response.status, body.deposit.text]).toEqual([402, 'IDR 200,000'])
  expect(body.detail).toContain('a deposit of IDR 200,000: tell your user')
  const fee = ((slot.fee.base_per_guest_minor ?? 0) * 2 * slot.fee.pct) / 100
  const { amount } = decoded(response.headers.get('payment-required')).accepts[0]
  expect(BigInt(amount)).toBe(toAssetAmount(Math.round(fee), 'IDR', '16400'))
})

test('an unmodified client pays for a booking, once, and gets a page for its guest', async () => {
  const wallet = await openWallet(service.db)
  const before = await wallet.balance()
  const response = await wallet.fetch(bookings(), posting(next()))
  const text = await response.text()
  expect(response.status, text).toBe(201)
  const { status, booking, payment } = JSON.parse(text)
  expect(status).toBe('confirmed')
  expect(booking.guest_url).toContain('/guest/')
  expect(decoded(response.headers.get('payment-response'))).toEqual(payment)
  expect(payment).toMatchObject({ success: true, payer: wallet.address })
  expect(before - (await wallet.balance())).toBe(BigInt(payment.amount))
  expect(await stored(wallet.address)).toMatchObject([
    { state: 'settled', booking_id: booking.id, transaction: payment.transaction },
  ])
})

test('the same payment again gives the same bytes and costs nothing', async () => {
  const wallet = await openWallet(service.db)
  let sent: RequestInit = {}
  const recording: typeof fetch = (input, init) => {
    if (input instanceof Request) sent = { headers: Object.fromEntries(input.headers) }
    else sent = init ?? {}
    return fetch(input, init)
  }
  const { wrapFetchWithPayment } = await import('@x402/fetch')
  const body = next()
  const first = await wrapFetchWithPayment(recording, wallet.client)(bookings(), posting(body))
  const bytes = await first.text()
  expect(first.status, bytes).toBe(201)
  const paid = await wallet.balance()
  const again = await fetch(bookings(), { ...posting(body), headers: sent.headers as never })
  expect(await again.text()).toBe(bytes)
  expect(again.status).toBe(201)
  expect(await wallet.balance()).toBe(paid)
  const other = await fetch(bookings(), { ...posting(next()), headers: sent.headers as never })
  expect([other.status, await other.json()]).toMatchObject([409, { code: 'payment_reused' }])
})

test('an account on the free tier pays for its own booking', async () => {
  const free = await openAgent(service.db, service.url, 'free')
  const wallet = await openWallet(service.db)
  const body = { ...next(), idempotency_key: `k-${wallet.address}` }
  const asked = await free.post('/api/bookings', body)
  expect(asked).toMatchObject({ status: 402, body: { code: 'payment_required' } })
  const key = { authorization: `Bearer ${free.key}` }
  const paid = await wallet.fetch(bookings(), posting(body, key))
  expect(paid.status, await paid.clone().text()).toBe(201)
  const { booking } = (await paid.json()) as any
  expect((await free.get(`/api/bookings/${booking.id}`)).body.booking.status).toBe('confirmed')
  const left = await wallet.balance()
  const repeated = await wallet.fetch(bookings(), posting(body, key))
  expect(repeated.status).toBe(200)
  expect(((await repeated.json()) as any).booking.id).toBe(booking.id)
  expect(await wallet.balance()).toBe(left)
})

test('a wallet without money is refused before anything is held', async () => {
  const wallet = await openWallet(service.db, 0)
  const response = await wallet.fetch(bookings(), posting(next()))
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({ code: 'payment_rejected' })
  expect(await stored(wallet.address)).toEqual([])
})

test('a wallet that is emptied before settlement ends its booking, uncharged', async () => {
  const wallet = await openWallet(service.db)
  const lock = await service.db.connect()
  await lock.query('begin; lock table booking in exclusive mode')
  const answer = wallet.fetch(bookings(), posting(next()))
  await eventually('the payment', async () => (await stored(wallet.address)).length === 1)
  await service.db.query('update x402_local_wallet set balance = 0 where address = $1', [
    wallet.address,
  ])
  await lock.query('commit')
  lock.release()
  const response = await answer
  expect(response.status).toBe(402)
  const { code, reason } = (await response.json()) as any
  expect([code, reason]).toEqual(['payment_rejected', expect.stringContaining('insufficient')])
  expect(decoded(response.headers.get('payment-response'))).toMatchObject({ success: false })
  expect(await stored(wallet.address)).toMatchObject([{ state: 'failed', transaction: null }])
  const { rows } = await service.db.query(
    `select b.status, b.reason_code, b.fee_status,
       array(select e.type from event e where e.booking_id = b.id order by e.id) as events
     from booking b join x402_payment p on p.booking_id = b.id where p.payer = $1`,
    [wallet.address],
  )
  const events = ['booking.held', 'booking.failed']
  expect(rows).toEqual([
    { status: 'failed', reason_code: 'payment_rejected', fee_status: 'none', events },
  ])
})

test('a wallet that uses its payment for itself before settlement gets nothing', async () => {
  const wallet = await openWallet(service.db)
  const lock = await service.db.connect()
  await lock.query('begin; lock table booking in exclusive mode')
  const answer = wallet.fetch(bookings(), posting(next()))
  await eventually('the payment', async () => (await stored(wallet.address)).length === 1)
  const [{ network, nonce }] = await stored(wallet.address)
  const move = { network, sender: wallet.address, recipient: `0x${'1'.repeat(40)}`, nonce }
  const hash = `by the payer ${nonce}`
  await insertTransfer(service.db, { ...move, hash, amount: 1n, at: new Date() })
  await lock.query('commit')
  lock.release()
  const response = await answer
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({
    code: 'payment_rejected',
    reason: 'authorization_void',
  })
  expect(await stored(wallet.address)).toMatchObject([{ state: 'failed', transaction: null }])
})

test.each([-1n, 1n])(
  'an authorisation of %d millionths more than requested is refused',
  async (more) => {
    const wallet = await openWallet(service.db)
    const slot = next()
    const quoted = await fetch(bookings(), posting(slot))
    const required = decoded(quoted.headers.get('payment-required'))
    const [accepted] = required.accepts
    const amount = String(BigInt(accepted.amount) + more)
    const asked = { ...required, accepts: [{ ...accepted, amount }] }
    const payment = { ...(await wallet.client.createPaymentPayload(asked)), accepted }
    const header = Buffer.from(JSON.stringify(payment)).toString('base64')
    const answer = await fetch(bookings(), posting(slot, { 'payment-signature': header }))
    expect(await answer.json()).toMatchObject({
      code: 'payment_rejected',
      reason: 'authorization_mismatch',
    })
    expect(await stored(wallet.address)).toEqual([])
  },
)

test('a quote for one slot pays for no other, and an unreadable payment is refused', async () => {
  const wallet = await openWallet(service.db)
  const quoted = await fetch(bookings(), posting(next()))
  const required = decoded(quoted.headers.get('payment-required'))
  const payment = await wallet.client.createPaymentPayload(required)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const other = await fetch(bookings(), posting(next(), { 'payment-signature': header }))
  const refused = (await other.json()) as any
  expect(refused).toMatchObject({ code: 'payment_rejected', reason: 'quote_outdated' })
  expect(refused.detail.match(/nothing was charged/gi)).toHaveLength(1)
  const broken = await fetch(bookings(), posting(next(), { 'payment-signature': '{' }))
  expect(await broken.json()).toMatchObject({ code: 'payment_malformed', status: 400 })
})

test('a booking that is cancelled in time leaves a refund due', async () => {
  const wallet = await openWallet(service.db)
  const free = await openAgent(service.db, service.url, 'free')
  const key = { authorization: `Bearer ${free.key}` }
  const paid = await wallet.fetch(bookings(), posting(next(), key))
  const { booking } = (await paid.json()) as any
  const cancelled = await free.post(`/api/bookings/${booking.id}/cancel`, {})
  expect(cancelled.body).toMatchObject({ booking: { status: 'cancelled' } })
  const reversed = cancelled.body.booking.fee.status === 'reversed'
  // The sweep may have sent the refund by now.
  const states = reversed ? ['refund_due', 'refunded'] : ['settled']
  expect(states).toContain((await stored(wallet.address))[0].state)
})

test('a wallet whose paid booking awaits its venue is told how to check again', async () => {
  const wallet = await openWallet(service.db)
  const body = { ...next(), wait: 5 }
  const connector = { url: 'https://venue.example/', secret: 'never opened here' }
  await service.db.query('update venue set is_demo = false where id = $1', [body.venue_id])
  await upsertConnector(service.db, { venueId: body.venue_id, ...connector }, new Date())
  const asked = decoded((await fetch(bookings(), posting(body))).headers.get('payment-required'))
  const payment = await wallet.client.createPaymentPayload(asked)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const send = async () => {
    const response = await fetch(bookings(), posting(body, { 'payment-signature': header }))
    return { status: response.status, body: (await response.json()) as any }
  }
  const paid = await eventually('the payment to be settled', async () => {
    const answer = await send()
    return answer.body.payment ? answer : undefined
  })
  expect(paid).toMatchObject({ status: 202, body: { payment: { success: true } } })
  expect(paid.body.booking.fee.note).toBe('Paid; refunded if the booking is not confirmed')
  expect(paid.body.next).toContain('Repeat this request with the same payment')
  expect(paid.body.next).not.toContain('GET /api/bookings')
})
