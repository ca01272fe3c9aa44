import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPaymentDoors, type PaymentDoors, paymentProviders } from '../support/payment-doors.ts'

describe.each(paymentProviders)('with %s', (provider) => {
  let doors: PaymentDoors
  beforeAll(async () => {
    doors = await openPaymentDoors(provider)
  })
  afterAll(() => doors?.close())

  const buy = async () => {
    const agent = await doors.openAgent('free')
    const asked = await agent.post('/api/plan', { tier: 'pro' })
    return { agent, asked, id: asked.body.payment_id as string, url: asked.body.pay_url as string }
  }

  test('pro is paid for before it begins', async () => {
    const { agent, asked, id, url } = await buy()
    expect(asked).toMatchObject({
      status: 402,
      body: { code: 'payment_required', amount: { amount_minor: 4900, currency: 'USD' } },
    })
    expect(await doors.tierOf(agent.accountId)).toBe('free')
    const again = await agent.post('/api/plan', { tier: 'pro' })
    expect(again.body).toMatchObject({ payment_id: id, pay_url: url })

    await doors.use(url, 'works')
    const { body } = await agent.get(`/api/payments/${id}`)
    expect(body.payment).toMatchObject({ state: 'succeeded', amount_minor: 4900, pay_url: null })
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
    expect(await agent.post('/api/plan', { tier: 'pro' })).toMatchObject({ status: 200 })
    expect(await doors.balances(agent.accountId)).toEqual({
      cash: 4900,
      credit: -4900,
      unbilled: 4900,
      revenue: -4900,
    })
  })

  test('a month that was paid is not paid again after a downgrade', async () => {
    const { agent, url } = await buy()
    await doors.use(url, 'works')
    await agent.post('/api/plan', { tier: 'pro' })
    await agent.post('/api/plan', { tier: 'free' })
    const back = await agent.post('/api/plan', { tier: 'pro' })
    expect(back).toMatchObject({ status: 200, body: { plan: { tier: 'pro' }, changed: true } })
    expect((await agent.get('/api/payments')).body.payments).toHaveLength(1)
  })

  test('a declined card leaves the account on free, and the page open', async () => {
    const { agent, id, url } = await buy()
    await doors.use(url, 'declined')
    expect((await agent.get(`/api/payments/${id}`)).body.payment.state).toBe('created')
    expect(await doors.tierOf(agent.accountId)).toBe('free')
    await doors.use(url, 'works')
    expect((await agent.get(`/api/payments/${id}`)).body.payment.state).toBe('succeeded')
  })

  test('a saved card is charged at once, and a declined one opens a page', async () => {
    const good = await doors.openAgent('free')
    await doors.leaveCard(good, 'works')
    expect((await good.get('/api/payments')).body.has_card).toBe(true)
    expect(await good.post('/api/plan', { tier: 'pro' })).toMatchObject({
      status: 200,
      body: { plan: { tier: 'pro' }, changed: true },
    })
    const bad = await doors.openAgent('free')
    await doors.leaveCard(bad, 'declined')
    const refused = await bad.post('/api/plan', { tier: 'pro' })
    expect(refused).toMatchObject({ status: 402, body: { code: 'payment_required' } })
    const { payments } = (await bad.get('/api/payments')).body
    expect(payments.map(({ state }: any) => state)).toEqual(['created', 'failed'])
    expect(await doors.tierOf(bad.accountId)).toBe('free')
  })

  test('a charge without an answer is queried, and never made twice', async () => {
    const agent = await doors.openAgent('free')
    await doors.leaveCard(agent, 'silent')
    const asked = await agent.post('/api/plan', { tier: 'pro' })
    expect(asked).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
    await agent.post('/api/plan', { tier: 'pro' })
    await doors.collect(new Date(Date.now() + 5 * 60_000))
    const { payments } = (await agent.get('/api/payments')).body
    expect(payments).toMatchObject([{ state: 'succeeded' }])
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
    expect((await doors.balances(agent.accountId)).cash).toBe(4900)
  })
})
