import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buy, locationOf } from '../support/buy-pro.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { openPaymentDoors, type PaymentDoors } from '../support/payment-doors.ts'
import { sayYes } from '../support/questions.ts'

let doors: PaymentDoors
let operator: Browser
beforeAll(async () => {
  doors = await openPaymentDoors('local')
  operator = await openBrowser(doors, { isOperator: true })
})
afterAll(() => doors?.close())

describe('operators', () => {
  const formOf = async (page: string) =>
    /name="form" value="([^"]+)"/.exec((await operator.get(page)).html)?.[1] ?? ''

  test('refund part of a payment, which the ledger and the audit log record', async () => {
    const browser = await openBrowser(doors)
    const id = (await buy(browser)).split('/').at(-1) ?? ''
    const page = `/dashboard/operators/payments/${id}`
    expect((await operator.get(page)).html).toContain('Refund')
    const refund = async (amount: string, reason: string) =>
      sayYes(operator, `${page}/refund`, { amount, reason, form: await formOf(page) })
    const refused = await refund('50', 'x')
    expect(refused.html).toContain('Less than that is left')
    const done = await refund('12.50', 'A broken week')
    expect(locationOf(done)).toContain('done=refunded')
    expect((await operator.get(page)).html).toContain('partly refunded')
    expect(await doors.balances(browser.accountId)).toEqual({
      cash: 3650,
      credit: -4900,
      unbilled: 4900,
      revenue: -3650,
    })
    const { rows } = await doors.db.query(
      `select details from audit_entry where account_id = $1 and action = 'payment.refunded'`,
      [browser.accountId],
    )
    expect(rows).toMatchObject([{ details: { amount_minor: 1250, reason: 'A broken week' } }])
    await refund('36.50', 'The rest')
    expect((await operator.get(page)).html).toContain('refunded')
    const own = await browser.get(`/dashboard/payments/${id}`)
    expect(own.html).toContain('USD 49')
    expect((await doors.balances(browser.accountId)).cash).toBeUndefined()
  })

  test('refund once with a form that is sent twice', async () => {
    const browser = await openBrowser(doors)
    const id = (await buy(browser)).split('/').at(-1) ?? ''
    const page = `/dashboard/operators/payments/${id}`
    const form = {
      ...{ amount: '12.50', reason: 'A broken week', sure: 'yes' },
      form: await formOf(page),
    }
    const send = (more = {}) => operator.post(`${page}/refund`, { ...form, ...more })
    const sent = [...(await Promise.all([send(), send()])), await send()]
    for (const answer of sent) expect(locationOf(answer)).toContain('done=refunded')
    expect((await doors.balances(browser.accountId)).cash).toBe(3650)
    const { rows } = await doors.db.query(
      `select (select count(*)::int from refund where payment_id = $2) as refunds,
         count(*)::int as acts from audit_entry
       where account_id = $1 and action = 'payment.refunded'`,
      [browser.accountId, id],
    )
    expect(rows).toEqual([{ refunds: 1, acts: 1 }])
    expect((await send({ amount: '10' })).html).toContain('another amount')
    expect((await send({ form: '' })).status).toBe(404)
    expect((await doors.balances(browser.accountId)).cash).toBe(3650)
  })

  test('see payments that stay undecided, and query them', async () => {
    const agent = await doors.openAgent('free')
    await doors.leaveCard(agent, 'silent')
    const { body } = await agent.post('/api/plan', { tier: 'pro' })
    const id = body.payment_id
    await doors.db.query(
      `update payment set created_at = created_at - interval '1 hour' where id = $1`,
      [id],
    )
    const list = await operator.get('/dashboard/operators/payments')
    expect(list.html).toContain(`/dashboard/operators/payments/${id}`)
    expect((await operator.get('/dashboard/operators')).html).toContain('stuck payment')
    await doors.db.query('update local_charge set silent_until = null where id = $1', [id])
    await operator.post(`/dashboard/operators/payments/${id}/ask`)
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
    const after = await operator.get('/dashboard/operators/payments')
    expect(after.html).not.toContain(id)
  })

  test('charge the card of an account for what is due', async () => {
    const browser = await openBrowser(doors)
    await operator.post(`/dashboard/operators/accounts/${browser.accountId}/plan`, {
      tier: 'pro',
      reason: 'On request',
    })
    const account = `/dashboard/operators/accounts/${browser.accountId}`
    const { html } = await operator.get(account)
    const [, due_id = ''] = /name="due_id" value="([^"]+)"/.exec(html) ?? []
    const charged = await sayYes(operator, `${account}/charge`, { due_id, reason: 'They asked' })
    expect(locationOf(charged)).toContain('done=charged')
    const { rows } = await doors.db.query('select reason from dunning where due_id = $1', [due_id])
    expect(rows).toEqual([{ reason: 'no_way_to_pay' }])
  })

  test('are the only ones with these pages, and billing members pay', async () => {
    const browser = await openBrowser(doors)
    const path = await buy(browser)
    const id = path.split('/').at(-1)
    expect((await browser.get(`/dashboard/operators/payments/${id}`)).status).toBe(404)
    const billing = await openMember(doors, browser.accountId, 'billing')
    expect((await billing.get(path)).status).toBe(200)
    expect((await billing.post('/dashboard/payments/card')).html).toContain('Continue')
    const reader = await openMember(doors, browser.accountId, 'read-only')
    expect((await reader.post('/dashboard/payments/card')).status).toBe(403)
  })
})
