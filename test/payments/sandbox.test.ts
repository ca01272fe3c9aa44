import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { correctLedger } from '../../src/ledger/steps/correct-ledger.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import {
  openPaymentDoors,
  type PaymentDoors,
  paymentProviders,
  useLocalPage,
} from '../support/payment-doors.ts'
import { openTestAgent } from '../support/sandbox.ts'

const start = new Date()
const day = (days: number) => new Date(start.getTime() + days * DAY_MS)

describe.each(paymentProviders)('where live accounts pay with %s', (provider) => {
  let doors: PaymentDoors
  beforeAll(async () => {
    doors = await openPaymentDoors(provider)
  })
  afterAll(() => doors?.close())

  /** A sandbox with an invoice for USD 12.34, issued on day 40. */
  async function openDebtor() {
    const live = await doors.openAgent('free')
    const agent = await openTestAgent(doors.db, doors.url, live.accountId)
    const { accountId } = agent
    await transaction(doors.db, (tx) =>
      correctLedger(tx, {
        ...{ accountId, correction: 'charge', currency: 'USD', amountMinor: 1234, at: start },
        ...{ id: randomUUID(), reason: 'A test' },
      }),
    )
    await closeMonthsOf(doors.db, accountId, day(40))
    const leaveCard = async (card: 'works' | 'declined') => {
      const { body } = await agent.post('/api/payments/card', {})
      await useLocalPage(doors.url, body.card_page_url, card)
    }
    const read = async () => (await agent.get('/api/payments')).body
    return { ...agent, live, leaveCard, read }
  }

  test('a test card pays the invoice of a sandbox, and nothing else does', async () => {
    const debtor = await openDebtor()
    await debtor.leaveCard('works')
    const before = doors.stripe.requests.length
    await doors.collect(day(41))
    expect((await debtor.read()).due).toMatchObject([{ purpose: 'invoice', amount_minor: 1234 }])
    await doors.collectTest(day(41))
    await doors.collectTest(day(42))
    const { due, payments, has_card } = await debtor.read()
    expect([due, has_card]).toEqual([[], true])
    expect(payments).toMatchObject([{ state: 'succeeded', provider: 'local', amount_minor: 1234 }])
    expect(doors.stripe.requests).toHaveLength(before)
    expect(await doors.balances(debtor.accountId)).toEqual({ cash: 1234, revenue: -1234 })
    const { body } = await debtor.get('/api/invoices')
    expect(body.invoices).toMatchObject([{ status: 'paid', paid_minor: 1234, is_test: true }])
    expect((await debtor.live.get('/api/payments')).body.payments).toEqual([])
  })

  test('a declined test card is charged five times, and another one pays by hand', async () => {
    const debtor = await openDebtor()
    await debtor.leaveCard('declined')
    for (let at = 40; at <= 56; at += 1) await doors.collectTest(day(at))
    const { due, payments } = await debtor.read()
    expect(payments.map(({ state }: any) => state)).toEqual(Array(5).fill('failed'))
    expect(await doors.tierOf(debtor.accountId)).toBe('pro')
    const asked = await debtor.post('/api/payments', { due_id: due[0].id })
    expect(asked).toMatchObject({ status: 402, body: { code: 'payment_required' } })
    await useLocalPage(doors.url, asked.body.pay_url, 'works')
    const page = await fetch(doors.url + new URL(asked.body.pay_url).pathname)
    expect(await page.text()).toMatch(/Done(?![\s\S]*Back to the dashboard)/)
    expect((await debtor.read()).due).toEqual([])
  })

  test('a test key does not change the plan', async () => {
    const { post, accountId } = await openDebtor()
    for (const tier of ['free', 'pro']) {
      const { status, body } = await post('/api/plan', { tier })
      expect([status, body.code]).toEqual([403, 'live_key_required'])
    }
    expect(await doors.tierOf(accountId)).toBe('pro')
  })
})
