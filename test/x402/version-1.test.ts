import { x402Client } from '@x402/core/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { decoded, openWallet, posting } from './pay.ts'

let service: Service
let slots: AskedSlot[]
const bookings = () => `${service.url}/api/bookings`
const next = () => slots.shift() as AskedSlot

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  slots = await findSlots(service.agent, 'dinner for 2', 8)
})
afterAll(() => service.close())

/** A version 1 client: it reads no field from version 2, and pays by `X-PAYMENT`. */
async function openPayer(usdc?: number) {
  const wallet = await openWallet(service.db, usdc)
  const sent: Headers[] = []
  const old: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(request.headers)
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    for (const name of ['payment-required', 'payment-response']) headers.delete(name)
    return new Response(response.body, { status: response.status, headers })
  }
  const client = x402Client
    .fromConfig({ schemes: [], spendControls: { maxAmountPerPayment: '$20' } })
    .registerV1('base-sepolia', new ExactEvmSchemeV1(wallet.account))
  return { ...wallet, sent, pay: wrapFetchWithPayment(old, client) }
}

test('a client of version 1 pays by `X-PAYMENT`, once, and reads the receipt there', async () => {
  const payer = await openPayer()
  const before = await payer.balance()
  const body = next()
  const response = await payer.pay(bookings(), posting(body))
  const text = await response.text()
  expect(response.status, text).toBe(201)
  const { booking, payment } = JSON.parse(text)
  expect(booking.status).toBe('confirmed')
  expect(decoded(response.headers.get('x-payment-response'))).toEqual(payment)
  expect(payment).toMatchObject({ success: true, payer: payer.address })
  expect(before - (await payer.balance())).toBe(BigInt(payment.amount))

  const header = payer.sent.at(-1)?.get('x-payment') ?? ''
  expect(decoded(header)).toMatchObject({ x402Version: 1, network: 'base-sepolia' })
  // The header is public on the chain: whoever reuses it gets only the receipt, also public.
  for (const guess of [body, next(), { ...body, idempotency_key: 'a-guess' }]) {
    const again = await fetch(bookings(), posting(guess, { 'x-payment': header }))
    const bytes = await again.text()
    expect([again.status, JSON.parse(bytes).code]).toEqual([409, 'payment_reused'])
    expect(decoded(again.headers.get('x-payment-response'))).toEqual(payment)
    for (const secret of ['guest', 'booking_id', booking.id]) expect(bytes).not.toContain(secret)
  }
  expect(before - (await payer.balance())).toBe(BigInt(payment.amount))
})

test('a client of version 1 repeats its request with its own idempotency key', async () => {
  const payer = await openPayer()
  const body = { ...next(), idempotency_key: `key-${payer.address}` }
  const first = await payer.pay(bookings(), posting(body))
  const text = await first.text()
  expect(first.status, text).toBe(201)
  const header = payer.sent.at(-1)?.get('x-payment') ?? ''
  const again = await fetch(bookings(), posting(body, { 'x-payment': header }))
  expect([again.status, await again.text()]).toEqual([201, text])
})

test('an empty wallet of version 1 is asked again, in the body that it reads', async () => {
  const payer = await openPayer(0)
  const response = await payer.pay(bookings(), posting(next()))
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({
    code: 'payment_rejected',
    x402Version: 1,
    accepts: [{ scheme: 'exact', network: 'base-sepolia' }],
  })
})

test('a payment of version 1 for another network, or signed for less, is refused', async () => {
  const payer = await openPayer()
  const body = next()
  const { accepts } = (await (await fetch(bookings(), posting(body))).json()) as any
  const scheme = new ExactEvmSchemeV1(payer.account)
  const cheap = { ...accepts[0], maxAmountRequired: '1' }
  const payment = await scheme.createPaymentPayload(1, cheap)
  const send = async (sent: unknown) => {
    const header = Buffer.from(JSON.stringify(sent)).toString('base64')
    return (await (await fetch(bookings(), posting(body, { 'x-payment': header }))).json()) as any
  }
  expect(await send(payment)).toMatchObject({ code: 'payment_rejected', x402Version: 1 })
  expect(await send({ ...payment, network: 'base' })).toMatchObject({ code: 'payment_malformed' })
  const full = await payer.balance()
  expect(full).toBe(10_000_000n)
})
