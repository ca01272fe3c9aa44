import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { agentWith } from '../support/agent.ts'
import { buy, locationOf, pay, payPathIn } from '../support/buy-pro.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { openPaymentDoors, type PaymentDoors } from '../support/payment-doors.ts'
import { eventually } from '../support/programs.ts'
import { askedBy } from '../support/questions.ts'
import { openDeveloper } from '../support/request-log.ts'

let doors: PaymentDoors
let _operator: Browser
beforeAll(async () => {
  doors = await openPaymentDoors('local')
  _operator = await openBrowser(doors, { isOperator: true })
})
afterAll(() => doors?.close())

test('pro is bought in the dashboard, and the payment has a receipt', async () => {
  const browser = await openBrowser(doors)
  expect((await browser.get('/dashboard/plan/change')).html).toContain('Continue to payment')
  const path = await buy(browser)
  expect((await browser.get(path)).html).toContain('Receipt for USD 49')
  const { html } = await browser.get('/dashboard/plan')
  expect(html).toContain('ending in 4242 is on file')
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

test('pro can be bought on the pages of test mode as well', async () => {
  const browser = await openBrowser(doors)
  const asked = await browser.post('/dashboard/test/plan', { tier: 'pro' })
  const payment = await browser.get(locationOf(asked))
  expect([payment.status, payment.html]).toEqual([200, expect.stringContaining('Pay USD 49')])
  const { html } = await browser.get('/dashboard/test/plan')
  expect(html).toContain(`href="${locationOf(asked)}"`)
  expect(html).toContain('action="/dashboard/payments/card"')
})

test('members without the right to pay cannot derive a payment page’s address', async () => {
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

test('no recorded answer of any door contains a payment page’s address', async () => {
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

test('an added or replaced card is in the audit log, with who opened its page', async () => {
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
  expect((await browser.get('/dashboard/plan')).html).not.toContain('ending in 4242 is on file')
  const saved = await browser.post(second, { card: 'works' }, origin)
  expect([saved.status, (await browser.get(second)).html.includes('Done')]).toEqual([303, true])
  const again = await browser.post(second, { card: 'declined' }, origin)
  expect([again.status, again.html.includes('was used before')]).toEqual([409, true])
  await open()
  expect((await browser.get('/dashboard/plan')).html).toContain('ending in 4242 is on file')
})

test('a card saved with a payment is in the audit log', async () => {
  const browser = await openBrowser(doors)
  await buy(browser)
  const { html } = await browser.get('/dashboard/audit?action=card.added')
  expect(html).toContain('a payment')
})

test('the page of a payment without an answer reloads by itself', async () => {
  const browser = await openBrowser(doors)
  const { html, headers } = await browser.get(await buy(browser, 'silent'))
  expect(html).toContain('has not answered yet')
  expect(headers.get('refresh')).toBe('5')
})

test('an open invoice links to where it can be paid', async () => {
  const browser = await openBrowser(doors, { tier: 'pro' })
  const { accountId } = browser
  await accrueFee(doors.db, { accountId, minor: 500_000 })
  await closeMonthsOf(doors.db, accountId, new Date())
  const list = (await browser.get('/dashboard/invoices')).html
  const [, path = ''] = /href="(\/dashboard\/invoices\/[0-9a-f-]{36})"/.exec(list) ?? []
  expect((await browser.get(path)).html).toContain('href="/dashboard/plan#to-pay"')
  expect((await browser.get('/dashboard/plan')).html).toContain('id="to-pay"')
})

test('what is due is charged to the saved card only after confirmation', async () => {
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

test('a person whose assistant cannot book yet saves a card, and goes back to it', async () => {
  const browser = await openBrowser(doors)
  const [own, foreign] = ['/oauth/consent/abc-1_abcdefghijklmnopq', 'https://evil.example/oauth/x']
  for (const back of [foreign, '//evil.example', '/oauth/../dashboard', 'javascript:1']) {
    const page = await browser.get(`/dashboard/plan?return=${encodeURIComponent(back)}`)
    expect([page.html.includes('Back to your assistant'), page.headers.get('set-cookie')]).toEqual([
      false,
      null,
    ])
  }
  const first = await browser.get(`/dashboard/plan?return=${encodeURIComponent(own)}`)
  expect(first.html).toContain(`href="${own}">Back to your assistant`)
  expect(first.html).toContain('Save a card, or take pro')
  const [cookie = ''] = first.headers.get('set-cookie')?.split(';') ?? []
  const { html } = await browser.post('/dashboard/payments/card')
  await browser.post(payPathIn(html), { card: 'works' }, { origin: doors.deps.publicUrl })
  const headers = { cookie: `${browser.cookie}; ${cookie}` }
  const after = await browser.get('/dashboard/plan', headers)
  expect(after.html).toContain('Your assistant can book now.')
  expect(after.html).toContain(`href="${own}">Back to your assistant`)
  expect(after.html).toContain('It pays the fee of each booking as you book.')
})
