import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import type { EventType } from '../../src/webhooks/rules/event-types.ts'
import { eventData } from '../../src/webhooks/schema/event-bodies.ts'
import { bookInvariants } from '../../tools/proof/books.ts'
import { agentWith, makeKey } from '../support/agent.ts'
import { openTestClock, slotAfter, type TestClock } from '../support/clocks.ts'
import { openService, type Service } from '../support/network.ts'
import { useLocalPage } from '../support/payment-doors.ts'

let service: Service

beforeAll(async () => {
  service = await openService({ PAYMENTS: 'local' })
})
afterAll(() => service?.close())

/** A clock with a card and a booking, moved forty days ahead. */
async function passMonth(card?: 'works' | 'declined' | 'silent'): Promise<TestClock> {
  // A clock's key has the scopes of the key that made it, including paying.
  const { accountId, key } = await makeKey(service.db, 'pro', scopes)
  const agent = agentWith(service.url, accountId, key)
  const clock = await openTestClock({ url: service.url, agent })
  if (card) {
    const { body } = await clock.agent.post('/api/payments/card', {})
    await useLocalPage(service.url, body.card_page_url, card)
  }
  const slot = slotAfter('sandbox-instant', 3, Date.now())
  const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 50 })
  expect(body.status).toBe('confirmed')
  expect(await clock.advance({ by: 'P50D' })).toMatchObject({ status: 'ready' })
  return clock
}

const invoicesOf = async ({ agent }: TestClock) => (await agent.get('/api/invoices')).body.invoices
const paymentsOf = async ({ agent }: TestClock) => (await agent.get('/api/payments')).body

test('each month that a clock passes is closed into an invoice, and charged', async () => {
  const monthOf = () => new Date().toISOString().slice(0, 7)
  const months = [monthOf()]
  const clock = await passMonth('works')
  // The booking was made in one of these two months, if a month has just ended.
  months.push(monthOf())
  const invoices = await invoicesOf(clock)
  expect(invoices).toMatchObject([{ status: 'paid', total_minor: 1_250_000 }])
  expect(months).toContain(invoices[0].month)
  const { due, payments } = await paymentsOf(clock)
  expect(due).toEqual([])
  expect(payments).toMatchObject([{ state: 'succeeded', amount_minor: 1_250_000 }])
  expect(Date.parse(payments[0].created_at)).toBeGreaterThan(Date.now())
  const { events } = (await clock.agent.get('/api/events')).body
  const told = events.filter(({ type }: any) => type.startsWith('invoice.'))
  expect(told).toMatchObject([
    { type: 'invoice.created', data: { status: 'open', due_minor: 1_250_000, is_test: true } },
    { type: 'invoice.paid', data: { status: 'paid', due_minor: 0, total_text: 'IDR 12,500' } },
  ])
  for (const { type, data } of told) expect(eventData[type as EventType].parse(data)).toEqual(data)
})

test('a silent test card’s charge is unknown for two minutes on the clock, then paid', async () => {
  const clock = await passMonth('silent')
  expect(await invoicesOf(clock)).toMatchObject([{ status: 'paid' }])
  const [{ created_at, updated_at }] = (await paymentsOf(clock)).payments
  expect(Date.parse(updated_at) - Date.parse(created_at)).toBeGreaterThanOrEqual(120_000)
})

test('a declined test card is charged again over a week that passes at once', async () => {
  const clock = await passMonth('declined')
  const { due, payments } = await paymentsOf(clock)
  const days = payments.map(({ created_at }: any) =>
    Math.round((Date.parse(created_at) - Date.parse(due[0].issued_at)) / 86_400_000),
  )
  expect(days.toReversed()).toEqual([0, 1, 3, 5, 7])
  expect(await invoicesOf(clock)).toMatchObject([{ status: 'open', paid_minor: 0 }])
})

test('a clock without a card moves on with its invoice open, and all books agree', async () => {
  const clock = await passMonth()
  expect(await paymentsOf(clock)).toMatchObject({ due: [{}], payments: [], has_card: false })
  for (const { broken } of bookInvariants) {
    expect((await service.db.query(broken)).rows).toEqual([])
  }
})
