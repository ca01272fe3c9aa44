import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginRefund, sendRefund } from '../../src/payments/steps/refund.ts'
import { selectPayment } from '../../src/payments/store/payments.ts'
import { type Db, transaction } from '../../src/platform/database/sql.ts'
import { openBrowser } from '../support/developers.ts'
import { openPaymentDoors, type PaymentDoors } from '../support/payment-doors.ts'

let doors: PaymentDoors
beforeAll(async () => {
  doors = await openPaymentDoors('stripe')
})
afterAll(() => doors?.close())

const send = (event: { body: string; headers: Record<string, string> }, { url } = doors) =>
  fetch(`${url}/payments/stripe/events`, { method: 'POST', ...event })

const known = async () =>
  (await doors.db.query('select id from provider_event order by id')).rows.map(({ id }) => id)

/** An account whose customer has paid on the page, but without a notification to us. */
async function payUnheard() {
  const agent = await doors.openAgent('free')
  const { body } = await agent.post('/api/plan', { tier: 'pro' })
  await doors.use(body.pay_url, 'works')
  const paymentId = body.payment_id as string
  const object = { id: 'cs_x', object: 'checkout.session', metadata: { payment_id: paymentId } }
  return { agent, paymentId, object }
}

test('an event moves the account to pro, and its repetition changes nothing', async () => {
  const { agent, object } = await payUnheard()
  const event = doors.stripe.event('checkout.session.completed', object)
  expect((await send(event)).status).toBe(200)
  expect(await doors.tierOf(agent.accountId)).toBe('pro')
  const asked = doors.stripe.requests.length
  const again = await Promise.all([send(event), send(event)])
  expect(again.map(({ status }) => status)).toEqual([200, 200])
  expect(doors.stripe.requests).toHaveLength(asked)
  expect((await doors.balances(agent.accountId)).cash).toBe(4900)
})

test('events out of order lead to the state at Stripe', async () => {
  const { agent, object } = await payUnheard()
  for (const type of ['payment_intent.succeeded', 'payment_intent.payment_failed']) {
    expect((await send(doors.stripe.event(type, object))).status).toBe(200)
  }
  const late = { at: new Date(Date.now() - 60_000) }
  await send(doors.stripe.event('checkout.session.expired', object, late))
  expect(await doors.tierOf(agent.accountId)).toBe('pro')
  expect((await doors.balances(agent.accountId)).cash).toBe(4900)
})

test('a forged, an unsigned and an old event are refused, and nothing is queried', async () => {
  const { agent, object } = await payUnheard()
  const type = 'checkout.session.completed'
  const asked = doors.stripe.requests.length
  const before = await known()
  const good = doors.stripe.event(type, object)
  const wrong = [
    doors.stripe.event(type, object, { secret: 'whsec_of_somebody_else' }),
    doors.stripe.event(type, object, { at: new Date(Date.now() - 6 * 60_000) }),
    { ...good, body: good.body.replace(object.metadata.payment_id, randomUUID()) },
    { ...good, headers: {} },
    { ...good, headers: { 'stripe-signature': 't=1,v1=00' } },
  ]
  for (const event of wrong) {
    const response = await send(event as typeof good)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'bad_signature' })
  }
  expect(doors.stripe.requests).toHaveLength(asked)
  expect(await known()).toEqual(before)
  expect(await doors.tierOf(agent.accountId)).toBe('free')
})

test('a burst of events is accepted, even from where a stranger used up the limit', async () => {
  const strict = await openPaymentDoors('stripe', { OPEN_REQUESTS_PER_MINUTE: '3' })
  try {
    const object = { id: 'cus_x', object: 'customer', metadata: {} }
    const burst = () =>
      Promise.all(
        Array.from({ length: 5 }, async () => {
          const event = strict.stripe.event('customer.updated', object)
          return (await send(event, strict)).status
        }),
      )
    expect(await burst()).toEqual([200, 200, 200, 200, 200])
    const forged = { ...strict.stripe.event('customer.updated', object), headers: {} }
    const refused = []
    for (let n = 0; n < 5; n += 1) refused.push((await send(forged, strict)).status)
    expect(refused).toEqual([401, 401, 401, 429, 429])
    expect(await burst()).toEqual([200, 200, 200, 200, 200])
  } finally {
    await strict.close()
  }
})

test('an event about something else is accepted and has no effect', async () => {
  const object = { id: 'cus_x', object: 'customer', metadata: {} }
  expect((await send(doors.stripe.event('customer.updated', object))).status).toBe(200)
  const foreign = { ...object, metadata: { payment_id: randomUUID() } }
  expect((await send(doors.stripe.event('payment_intent.created', foreign))).status).toBe(200)
})

test('while Stripe does not answer, an event is resent, and then takes effect', async () => {
  const { agent, object } = await payUnheard()
  const event = doors.stripe.event('checkout.session.completed', object)
  doors.stripe.fail('before')
  const response = await send(event)
  doors.stripe.fail('no')
  expect(response.status).toBe(503)
  expect(await doors.tierOf(agent.accountId)).toBe('free')
  expect((await send(event)).status).toBe(200)
  expect(await doors.tierOf(agent.accountId)).toBe('pro')
})

describe('a refund that the bank rejects after Stripe made it', () => {
  const paid = { credit: -4900, unbilled: 4900, revenue: -4900, cash: 4900 }

  /** Refunds a month of pro that was paid for on a page. */
  async function refundAll() {
    const { agent, paymentId, object } = await payUnheard()
    await send(doors.stripe.event('checkout.session.completed', object))
    const refund = async () => {
      const at = new Date()
      const payment = await selectPayment(doors.db, paymentId)
      if (!payment) throw new Error('no payment')
      const begin = (tx: Db) => beginRefund(tx, payment, 4900, 'A broken week', at)
      const id = await transaction(doors.db, begin)
      if (id) await sendRefund(doors.deps, id, at)
      return id
    }
    const id = await refund()
    const { balances } = doors
    expect((await balances(agent.accountId)).cash).toBeUndefined()
    const given = doors.stripe.refunds().find(({ metadata }) => metadata.refund_id === id)
    return { agent, paymentId, refund, id, given: given as { id: string } }
  }

  const stateOf = async (id: string | null) =>
    (await doors.db.query('select state, reason from refund where id = $1', [id])).rows[0]

  test('is reversed once, shown to operators, and can be made again', async () => {
    const { agent, paymentId, refund, id, given } = await refundAll()
    const turned = doors.stripe.turnDownRefund(given.id)
    for (const type of ['refund.failed', 'refund.updated']) {
      expect((await send(doors.stripe.event(type, turned))).status).toBe(200)
    }
    expect(await stateOf(id)).toEqual({ state: 'failed', reason: 'lost_or_stolen_card' })
    expect(await doors.balances(agent.accountId)).toEqual(paid)
    const operator = await openBrowser(doors, { isOperator: true })
    const list = await operator.get('/dashboard/operators/payments')
    expect(list.html).toMatch(new RegExp(`${paymentId}[^]*Refund failed`))
    expect(await stateOf(await refund())).toEqual({ state: 'succeeded', reason: null })
    const { cash, revenue } = await doors.balances(agent.accountId)
    expect({ cash, revenue }).toEqual({ cash: undefined, revenue: undefined })
  })

  test('is processed when the event is repeated, if Stripe did not answer at first', async () => {
    const { agent, id, given } = await refundAll()
    const event = doors.stripe.event('refund.failed', doors.stripe.turnDownRefund(given.id))
    doors.stripe.fail('before')
    const unanswered = await send(event)
    doors.stripe.fail('no')
    expect(unanswered.status).toBe(503)
    expect((await send(event)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ state: 'failed' })
    expect(await doors.balances(agent.accountId)).toEqual(paid)
  })
})

test('neither the log nor an answer contains a secret', async () => {
  const { agent, object } = await payUnheard()
  await send(doors.stripe.event('checkout.session.completed', object))
  const seen = doors.logged() + JSON.stringify((await agent.get('/api/payments')).body)
  for (const secret of ['sk_test_simulation', 'whsec_']) expect(seen).not.toContain(secret)
})
