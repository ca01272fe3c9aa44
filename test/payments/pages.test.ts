import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { agentWith } from '../support/agent.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { openPaymentDoors, type PaymentDoors } from '../support/payment-doors.ts'
import { eventually } from '../support/programs.ts'
import { askedBy, sayYes } from '../support/questions.ts'
import { openDeveloper } from '../support/request-log.ts'

let doors: PaymentDoors
let operator: Browser
beforeAll(async () => {
  doors = await openPaymentDoors('local')
  operator = await openBrowser(doors, { isOperator: true })
})
afterAll(() => doors?.close())

const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

const payPathIn = (html: string) =>
  /href="http:\/\/127\.0\.0\.1:3000(\/pay\/[^"]+)"/.exec(html)?.[1] ?? ''

/** Buys pro in the dashboard and returns the path of the payment page. */
const buy = async (...args: Parameters<typeof pay>) => (await pay(...args)).path

async function pay(browser: Browser, card = 'works') {
  const asked = await browser.post('/dashboard/plan', { tier: 'pro' })
  expect(asked.status).toBe(303)
  const path = locationOf(asked)
  expect(path).toMatch(/^\/dashboard\/payments\//)
  const { html } = await browser.get(path)
  expect(html).toContain('Pay USD 49')
  const payPath = payPathIn(html)
  const page = await browser.get(payPath)
  expect(page.html).toContain('no money moves')
  const origin = { origin: 'http://127.0.0.1:3000' }
  const paid = await browser.post(payPath, { card }, origin)
  expect(locationOf(paid)).toContain(path)
  return { path, payPath }
}

test('pro is bought in the dashboard, and the payment has a receipt', async () => {
  const browser = await openBrowser(doors)
  expect((await browser.get('/dashboard/plan/change')).html).toContain('Continue to payment')
  const path = await buy(browser)
  expect((await browser.get(path)).html).toContain('Receipt for USD 49')
  const { html } = await browser.get('/dashboard/plan')
  expect(html).toContain('A card is on file')
  expect(html).toContain(path)
  expect(await doors.tierOf(browser.accountId)).toBe('pro')
})

test('a page that was used, closed or never opened takes no payment', async () => {
  const browser = await openBrowser(doors)
  const { payPath } = await pay(browser)
  expect((await browser.get(payPath)).html).toContain('has been used')
  const again = await browser.post(payPath, { card: 'works' }, { origin: doors.deps.publicUrl })
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('was used before')])
  expect(again.html).not.toContain('Done')
  expect((await doors.balances(browser.accountId)).cash).toBe(4900)
  expect((await browser.get('/pay/nothing')).status).toBe(404)
  const foreign = await browser.post(payPath, { card: 'works' }, { origin: 'https://x.example' })
  expect(foreign.status).toBe(403)
})

test('pro is bought on the pages of test mode as well', async () => {
  const browser = await openBrowser(doors)
  const asked = await browser.post('/dashboard/test/plan', { tier: 'pro' })
  const payment = await browser.get(locationOf(asked))
  expect([payment.status, payment.html]).toEqual([200, expect.stringContaining('Pay USD 49')])
  const { html } = await browser.get('/dashboard/test/plan')
  expect(html).toContain(`href="${locationOf(asked)}"`)
  expect(html).toContain('action="/dashboard/payments/card"')
})

test('members who may not pay cannot derive where a payment is made', async () => {
  const owner = await openBrowser(doors)
  const path = locationOf(await owner.post('/dashboard/plan', { tier: 'pro' }))
  const id = path.split('/').at(-1)
  const reader = await openMember(doors, owner.accountId, 'read-only')
  const { html } = await reader.get(path)
  expect(html).toContain(id)
  expect(payPathIn(html)).toBe('')
  expect(html).not.toContain('Not now')
  expect((await reader.get(`/pay/${id}`)).status).toBe(404)
  const origin = { origin: doors.deps.publicUrl }
  expect((await reader.post(`/pay/${id}`, { card: 'works' }, origin)).status).toBe(404)
  const payPath = payPathIn((await owner.get(path)).html)
  const again = locationOf(await owner.post('/dashboard/plan', { tier: 'pro' }))
  expect(payPathIn((await owner.get(again)).html)).toBe(payPath)
})

test('no recorded answer of any door has the address of a payment page', async () => {
  const { developer, key } = await openDeveloper(doors)
  const agent = agentWith(doors.url, developer.accountId, key)
  await doors.db.query(`update account set tier = 'free' where id = $1`, [developer.accountId])
  const bought = await agent.post('/api/plan', { tier: 'pro' })
  const answers = [
    bought,
    await agent.get('/api/payments'),
    await agent.get(`/api/payments/${bought.body.payment_id}`),
    await agent.post('/api/payments/card', {}),
    await postEnvelope(doors.url, key, { intent: 'payment.card', payload: {} }),
    await postEnvelope(doors.url, key, { intent: 'payment.list', payload: {} }),
    await postEnvelope(doors.url, key, { intent: 'plan.change', payload: { tier: 'pro' } }),
  ]
  for (const { body } of answers) expect(JSON.stringify(body)).toMatch(/\/pay\/[\w-]{43}/)
  const rows = await eventually('the recordings', async () => {
    const sql = 'select sent, answer from request_body where account_id = $1'
    const found = await doors.db.query(sql, [developer.accountId])
    return found.rows.length === answers.length ? found.rows : undefined
  })
  expect(JSON.stringify(rows)).not.toMatch(/\/pay\/\w/)
  expect(JSON.stringify(rows)).toContain('card_page_url')
})

test('a card that is added or replaced is in the audit log, with who opened its page', async () => {
  const browser = await openBrowser(doors)
  const payer = await openMember(doors, browser.accountId, 'billing')
  const origin = { origin: doors.deps.publicUrl }
  for (const card of ['works', 'declined']) {
    const { html } = await payer.post('/dashboard/payments/card')
    await browser.post(payPathIn(html), { card }, origin)
  }
  const { rows } = await doors.db.query(
    `select action, actor_kind, actor_id = $2 as is_opener, details from audit_entry
     where account_id = $1 and action like 'card.%' order by at, id`,
    [browser.accountId, payer.developerId],
  )
  const opened = { action: 'card.page_opened', actor_kind: 'member', is_opener: true, details: {} }
  const details = { with: 'a card page', provider: 'local' }
  const saved = { actor_kind: 'system', is_opener: null, details }
  expect(rows).toEqual([
    opened,
    { ...saved, action: 'card.added' },
    opened,
    { ...saved, action: 'card.replaced' },
  ])
  const { html } = await browser.get('/dashboard/audit?action=card')
  expect(html).toContain('Card replaced')
})

test('a card page that was replaced says so, and saves nothing', async () => {
  const browser = await openBrowser(doors)
  const origin = { origin: doors.deps.publicUrl }
  const open = async () => payPathIn((await browser.post('/dashboard/payments/card')).html)
  const [first, second] = [await open(), await open()]
  const late = await browser.post(first, { card: 'works' }, origin)
  expect(late.status).toBe(409)
  for (const { html } of [late, await browser.get(first)]) {
    expect(html).toContain('This page was replaced')
    expect(html).not.toContain('Done')
  }
  expect((await browser.get('/dashboard/plan')).html).not.toContain('A card is on file')
  const saved = await browser.post(second, { card: 'works' }, origin)
  expect([saved.status, (await browser.get(second)).html.includes('Done')]).toEqual([303, true])
  const again = await browser.post(second, { card: 'declined' }, origin)
  expect([again.status, again.html.includes('was used before')]).toEqual([409, true])
  await open()
  expect((await browser.get('/dashboard/plan')).html).toContain('A card is on file')
})

test('a card that is saved with a payment is in the audit log', async () => {
  const browser = await openBrowser(doors)
  await buy(browser)
  const { html } = await browser.get('/dashboard/audit?action=card.added')
  expect(html).toContain('a payment')
})

test('the page of a payment without an answer looks again by itself', async () => {
  const browser = await openBrowser(doors)
  const { html, headers } = await browser.get(await buy(browser, 'silent'))
  expect(html).toContain('has not answered yet')
  expect(headers.get('refresh')).toBe('5')
})

test('an open invoice leads to where it is paid', async () => {
  const browser = await openBrowser(doors, { tier: 'pro' })
  const { accountId } = browser
  await accrueFee(doors.db, { accountId, minor: 500_000 })
  await closeMonthsOf(doors.db, accountId, new Date())
  const list = (await browser.get('/dashboard/invoices')).html
  const [, path = ''] = /href="(\/dashboard\/invoices\/[0-9a-f-]{36})"/.exec(list) ?? []
  expect((await browser.get(path)).html).toContain('href="/dashboard/plan#to-pay"')
  expect((await browser.get('/dashboard/plan')).html).toContain('id="to-pay"')
})

test('what is due is charged to the card on file only after a question', async () => {
  const browser = await openBrowser(doors)
  const { accountId } = browser
  await buy(browser)
  await accrueFee(doors.db, { accountId, minor: 500_000 })
  await closeMonthsOf(doors.db, accountId, new Date())
  const { html } = await browser.get('/dashboard/plan')
  const [, due_id = ''] = /name="due_id" value="([^"]+)"/.exec(html) ?? []
  const charges = async () =>
    (await doors.db.query('select id from payment where account_id = $1', [accountId])).rowCount
  const before = await charges()
  const { question, answer } = await askedBy(browser, '/dashboard/payments', { due_id })
  expect(question.html).toContain('Your card is charged at once.')
  expect(await charges()).toBe(before)
  const paid = await browser.post('/dashboard/payments', answer)
  expect((await browser.get(locationOf(paid))).html).toContain('Receipt for')
})

describe('operators', () => {
  const formOf = async (page: string) =>
    /name="form" value="([^"]+)"/.exec((await operator.get(page)).html)?.[1] ?? ''

  test('refund a part of a payment, which the ledger and the audit log have', async () => {
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

  test('see payments that stay undecided, and ask about them', async () => {
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
