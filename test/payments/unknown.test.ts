import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { byNetwork } from '../../src/contract/audit.ts'
import { buyPro } from '../../src/payments/steps/buy-pro.ts'
import { chargeDue } from '../../src/payments/steps/collect.ts'
import type { PaymentDeps } from '../../src/payments/steps/deps.ts'
import { selectUnpaid } from '../../src/payments/store/dues.ts'
import type { Agent } from '../support/agent.ts'
import { openPaymentDoors, type PaymentDoors, paymentProviders } from '../support/payment-doors.ts'

const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const proMonthlyMinor = 4900

describe.each(paymentProviders)('with %s', (provider) => {
  let doors: PaymentDoors
  beforeAll(async () => {
    doors = await openPaymentDoors(provider)
  })
  afterAll(() => doors?.close())

  /** A process that dies between sending the charge and recording it. */
  const dying = (): PaymentDeps => ({
    ...doors.deps,
    provider: {
      ...doors.deps.provider,
      async charge(request) {
        await doors.deps.provider.charge(request)
        throw new Error('killed')
      },
    },
  })

  const statesOf = async (agent: Agent) =>
    (await agent.get('/api/payments')).body.payments.map(({ state }: any) => state)

  test('a crash between charge and record charges once', async () => {
    const agent = await doors.openAgent('free')
    await doors.leaveCard(agent, 'works')
    const account = { id: agent.accountId, name: 'test' }
    const by = byNetwork(agent.accountId, new Date())
    await expect(buyPro(dying(), account, by, proMonthlyMinor)).rejects.toMatchObject({
      data: { code: 'payment_pending' },
    })
    expect(await doors.tierOf(agent.accountId)).toBe('free')
    await Promise.all([doors.collect(later(5)), doors.collect(later(5))])
    expect(await statesOf(agent)).toEqual(['succeeded'])
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
    expect((await doors.balances(agent.accountId)).cash).toBe(4900)
    await doors.collect(later(30))
    expect(await statesOf(agent)).toEqual(['succeeded'])
  })

  test('a crash before the charge was sent charges later, once', async () => {
    const agent = await doors.openAgent('free')
    const { accountId } = agent
    await doors.leaveCard(agent, 'works')
    await movePlan(doors.db, {
      accountId,
      to: 'pro',
      by: 'operator',
      proMonthlyMinor,
      at: new Date(),
    })
    const unsent = async () => {
      throw new Error('killed')
    }
    const deps = { ...doors.deps, provider: { ...doors.deps.provider, charge: unsent } }
    const [due] = await selectUnpaid(doors.db, accountId)
    if (!due) throw new Error('nothing is due')
    await chargeDue(deps, due, new Date())
    expect(await statesOf(agent)).toEqual(['processing'])
    await doors.collect(later(5))
    expect(await statesOf(agent)).toEqual(['processing'])
    await doors.collect(later(20))
    await doors.collect(later(21))
    expect(await statesOf(agent)).toEqual(['succeeded', 'failed'])
    expect((await doors.balances(accountId)).cash).toBe(4900)
  })

  test('a page that was opened before the card is charged cannot be paid as well', async () => {
    const agent = await doors.openAgent('free')
    const { accountId } = agent
    await movePlan(doors.db, {
      accountId,
      to: 'pro',
      by: 'operator',
      proMonthlyMinor,
      at: new Date(),
    })
    const [due] = (await agent.get('/api/payments')).body.due
    const { body } = await agent.post('/api/payments', { due_id: due.id })
    await doors.leaveCard(agent, 'works')
    await doors.collect(later(1))
    // The page refuses a second payment; only what was charged counts.
    await doors.use(body.pay_url, 'works').catch(() => {})
    await agent.get(`/api/payments/${body.payment_id}`)
    expect(await statesOf(agent)).toEqual(['succeeded', 'failed'])
    expect((await doors.balances(accountId)).cash).toBe(4900)
  })

  test('a debt that two customers pay at once is charged once', async () => {
    const agent = await doors.openAgent('free')
    await doors.leaveCard(agent, 'works')
    const asked = await Promise.all(
      Array.from({ length: 6 }, () => agent.post('/api/plan', { tier: 'pro' })),
    )
    expect(asked.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    expect((await doors.balances(agent.accountId)).cash).toBe(4900)
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
  })
})

test('an amount too small for a card waits for a month, and pro continues', async () => {
  const doors = await openPaymentDoors('stripe')
  try {
    const agent = await doors.openAgent('pro')
    const { accountId } = agent
    await doors.leaveCard(agent, 'works')
    await movePlan(doors.db, {
      accountId,
      to: 'free',
      by: 'operator',
      proMonthlyMinor: 30,
      at: new Date(),
    })
    for (const minutes of [1, 20, 40]) await doors.collect(later(minutes))
    const { payments, due } = (await agent.get('/api/payments')).body
    expect(payments).toMatchObject([{ state: 'failed', reason: 'amount_too_small' }])
    expect(due).toHaveLength(1)
    expect((await doors.db.query('select from dunning')).rows).toEqual([])
  } finally {
    await doors.close()
  }
})

test('Stripe made no charges other than the recorded ones', async () => {
  const doors = await openPaymentDoors('stripe')
  try {
    const agent = await doors.openAgent('free')
    await doors.leaveCard(agent, 'silent')
    for (let tries = 0; tries < 3; tries += 1) await agent.post('/api/plan', { tier: 'pro' })
    await doors.collect(later(5))
    expect(doors.stripe.charges()).toHaveLength(1)
  } finally {
    await doors.close()
  }
})
