import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AskedSlot, findSlots, openAgent } from '../support/agent.ts'
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

const read = async (response: Response) => {
  const body = (await response.json()) as any
  return { status: response.status, body, id: body.booking?.id as string | undefined }
}

test('a client that lost the answer and signs anew gets its booking, uncharged', async () => {
  const wallet = await openWallet(service.db)
  const body = next()
  const first = await read(await wallet.fetch(bookings(), posting(body)))
  expect(first.status).toBe(201)
  const left = await wallet.balance()
  const second = await read(await wallet.fetch(bookings(), posting(body)))
  expect(second).toMatchObject({ status: 200, id: first.id, body: { joined: true } })
  expect(second.body.payment).toEqual(first.body.payment)
  expect(await wallet.balance()).toBe(left)
})

test('equal requests of a wallet at the same moment are charged once', async () => {
  const wallet = await openWallet(service.db)
  const full = await wallet.balance()
  const body = next()
  const asked = await fetch(bookings(), posting(body))
  const required = decoded(asked.headers.get('payment-required'))
  const pay = async () => {
    const payment = await wallet.client.createPaymentPayload(required)
    const header = Buffer.from(JSON.stringify(payment)).toString('base64')
    return read(await fetch(bookings(), posting(body, { 'payment-signature': header })))
  }
  const answers = await Promise.all([pay(), pay(), pay()])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  const [{ body: paid }] = answers
  expect(paid.status).toBe('confirmed')
  expect(full - (await wallet.balance())).toBe(BigInt(paid.payment.amount))
})

test('an account that lost the answer is not asked to pay again, until it cancels', async () => {
  const free = await openAgent(service.db, service.url, 'free', false)
  const key = { authorization: `Bearer ${free.key}` }
  const wallet = await openWallet(service.db)
  const body = next()
  const first = await read(await wallet.fetch(bookings(), posting(body, key)))
  const unpaid = await free.post('/api/bookings', body)
  expect(unpaid).toMatchObject({ status: 200, body: { joined: true, booking: { id: first.id } } })
  await free.post(`/api/bookings/${first.id}/cancel`, {})
  expect(await free.post('/api/bookings', body)).toMatchObject({ status: 402 })
  const second = await read(await wallet.fetch(bookings(), posting(body, key)))
  expect(second.status).toBe(201)
  expect(second.id).not.toBe(first.id)
})
