import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertInvoicesDue, movePlan } from '../../src/accounts/store/plans.ts'
import { readConfig } from '../../src/config.ts'
import { DAY_MS } from '../../src/contract/rules/durations.ts'
import { scopes } from '../../src/contract/rules/scopes.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
import { openFacilitator } from '../../src/open-facilitator.ts'
import { openPayments } from '../../src/open-payments.ts'
import { collectPayments } from '../../src/payments/steps/collect.ts'
import type { PaymentDeps } from '../../src/payments/steps/deps.ts'
import { mailDunning } from '../../src/payments/steps/mail-dunning.ts'
import { beginRefund } from '../../src/payments/steps/refund.ts'
import { selectPayments } from '../../src/payments/store/payments.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import type { Mail } from '../../src/platform/mail/send-mail.ts'
import type { Facilitator } from '../../src/x402/facilitator.ts'
import { resumeSettlements } from '../../src/x402/steps/resume-settlements.ts'
import { sendRefunds } from '../../src/x402/steps/send-refunds.ts'
import { settleOwed } from '../../src/x402/steps/settle-owed.ts'
import { type Agent, agentWith } from '../support/agent.ts'
import { openBrowser } from '../support/developers.ts'
import { readableLog } from '../support/lines.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { decoded, openWallet, posting } from './pay.ts'

// A network without cards, whose settlements a test can let die at any place.
const settings = { NODE_ENV: 'test', X402_FACILITATOR: 'local', PAYMENTS: 'none' }
const proMonthlyMinor = 4900
const PRICE = 49_000_000n
const start = new Date()
const later = (days: number) => new Date(start.getTime() + days * DAY_MS)

const { log } = readableLog()
let doors: Doors
let local: Facilitator
let deps: PaymentDeps
/** What settles; a test replaces it by one that fails. */
let facilitator: Facilitator

beforeAll(async () => {
  const { NODE_ENV: _, ...overrides } = settings
  doors = await openDoors(overrides)
  const config = readConfig(settings)
  const opened = openFacilitator(config, doors.db)
  const payments = await openPayments(config, { db: doors.db, publicUrl: doors.url, log })
  if (!opened || !payments) throw new Error('nothing collects')
  local = opened.facilitator
  deps = payments
  facilitator = local
  doors.engine.settlePayment = async ({ paymentId }) => {
    await settle(paymentId)
    return 'over'
  }
  doors.engine.resumeSettlement = async ({ paymentId }) => {
    await settle(paymentId)
    return true
  }
})
afterAll(() => doors?.close())

const settle = (id: string) => settleOwed({ db: doors.db, log, facilitator }, id, new Date())
const sweep = () => resumeSettlements({ db: doors.db, engine: doors.engine, log }, later(1 / 24))

/** An account on the free tier with all scopes and a wallet: a new one, or this one. */
async function openPayer(id?: string) {
  const { key, keyId, ...opened } = await doors.openAccount('free')
  const accountId = id ?? opened.accountId
  await doors.db.query('update api_key set scopes = $2, account_id = $3 where id = $1', [
    keyId,
    scopes,
    accountId,
  ])
  const wallet = await openWallet(doors.db, 500, 50)
  const agent = agentWith(doors.url, accountId, key)
  return {
    agent,
    wallet,
    init: (body: unknown) => posting(body, { authorization: `Bearer ${key}` }),
  }
}
type Payer = Awaited<ReturnType<typeof openPayer>>

const spent = async ({ wallet }: Payer) => 500_000_000n - (await wallet.balance())
const planUrl = () => `${doors.url}/api/plan`
const pro = { tier: 'pro' }
const buyPro = ({ wallet, init }: Payer) => wallet.fetch(planUrl(), init(pro))

/** A payment for what this asks, signed, in the header that carries it. */
async function signed({ wallet, init }: Payer, url: string, body: unknown) {
  const asked = await fetch(url, init(body))
  expect(asked.status).toBe(402)
  const quote = decoded(asked.headers.get('payment-required'))
  const payment = await wallet.client.createPaymentPayload(quote)
  return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
}

const tierOf = async ({ accountId }: Agent) =>
  (await doors.db.query('select tier from account where id = $1', [accountId])).rows[0].tier

/** What the ledger accounts hold, by currency; those that are empty are left out. */
async function balancesOf({ accountId }: Agent) {
  const { rows } = await doors.db.query(
    `select currency || ' ' || name as name, sum(minor)::int as balance from (
       select debit as name, currency, amount_minor as minor from ledger_entry where account_id = $1
       union all
       select credit, currency, -amount_minor from ledger_entry where account_id = $1) e
     group by currency, 1 having sum(minor) <> 0 order by 1`,
    [accountId],
  )
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

const statesOf = async ({ accountId }: Agent) =>
  (
    await doors.db.query(
      `select p.state as payment, x.state as x402 from payment p join x402_payment x on x.id = p.id
       where p.account_id = $1 order by p.id`,
      [accountId],
    )
  ).rows

test('a month paid from a wallet is in the ledger, and on its invoice as paid', async () => {
  const payer = await openPayer()
  const { agent } = payer
  const asked = await agent.post('/api/plan', pro)
  expect(asked).toMatchObject({ status: 402, body: { accepts: [{ scheme: 'exact' }] } })
  expect(asked.body.pay_url).toBeUndefined()
  expect(await agent.post('/api/payments/card', {})).toMatchObject({
    body: { code: 'payments_off' },
  })

  expect((await buyPro(payer)).status).toBe(200)
  expect(await balancesOf(agent)).toEqual({
    'XUC cash': 49_000_000,
    'XUC exchange': -49_000_000,
    'USD exchange': 4900,
    'USD credit': -4900,
    'USD unbilled': 4900,
    'USD revenue': -4900,
  })
  await closeMonths(doors.db, { accountId: agent.accountId, at: later(40) })
  expect(await balancesOf(agent)).toEqual({
    'XUC cash': 49_000_000,
    'XUC exchange': -49_000_000,
    'USD exchange': 4900,
    'USD revenue': -4900,
  })
  const [invoice] = (await agent.get('/api/invoices')).body.invoices
  expect(invoice).toMatchObject({ status: 'paid', total_minor: 4900, paid_minor: 4900 })
  expect((await agent.get('/api/payments')).body.due).toEqual([])
})

test('a month that was paid is not paid again after a downgrade', async () => {
  const payer = await openPayer()
  await buyPro(payer)
  await payer.agent.post('/api/plan', { tier: 'free' })
  const back = await payer.agent.post('/api/plan', pro)
  expect(back).toMatchObject({ status: 200, body: { plan: pro, changed: true } })
  expect(await spent(payer)).toBe(PRICE)
})

class Died extends Error {}
const die = async (): Promise<never> => {
  throw new Died()
}
const deaths: Readonly<Record<string, () => Partial<Facilitator>>> = {
  'before the money moves': () => ({ settle: die }),
  'after the money has moved': () => ({
    async settle(payment) {
      await local.settle(payment)
      return die()
    },
  }),
  'before the outcome is stored': () => ({ lookUp: die }),
}

test.each(Object.keys(deaths))(
  'a process that dies %s charges once, and loses nothing',
  async (place) => {
    const payer = await openPayer()
    const { agent } = payer
    const header = await signed(payer, planUrl(), pro)
    facilitator = { ...local, ...deaths[place]?.() }
    const lost = await agent.post('/api/plan', pro, header)
    // Nobody is asked to pay while it is undecided, with this payment, another one or none.
    expect(lost).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
    expect(await agent.post('/api/plan', pro)).toMatchObject({ body: { code: 'payment_pending' } })
    expect(await tierOf(agent)).toBe('free')
    facilitator = local
    await sweep()
    expect(await tierOf(agent)).toBe('pro')
    const again = await agent.post('/api/plan', pro, header)
    expect(again).toMatchObject({
      status: 200,
      body: { changed: true, payment: { success: true } },
    })
    expect(await spent(payer)).toBe(PRICE)
    expect(await statesOf(agent)).toEqual([{ payment: 'succeeded', x402: 'settled' }])
  },
)

test('an API that dies before it starts the settlement leaves it to the sweep', async () => {
  const payer = await openPayer()
  const header = await signed(payer, planUrl(), pro)
  const { settlePayment } = doors.engine
  doors.engine.settlePayment = die
  const lost = await payer.agent.post('/api/plan', pro, header)
  doors.engine.settlePayment = settlePayment
  expect(lost.body.code).toBe('payment_pending')
  expect(await statesOf(payer.agent)).toEqual([{ payment: 'processing', x402: 'verified' }])
  await sweep()
  expect(await tierOf(payer.agent)).toBe('pro')
  expect(await spent(payer)).toBe(PRICE)
})

test('a database that goes away between the outcome and the plan stores neither', async () => {
  const payer = await openPayer()
  const header = await signed(payer, planUrl(), pro)
  const { accountId } = payer.agent
  await doors.db.query(
    `create function refuse_test_move() returns trigger language plpgsql as $$
     begin raise exception 'the server is away'; end $$;
     create trigger test_move before update of tier on account
     for each row when (new.id = '${accountId}') execute function refuse_test_move()`,
  )
  expect((await payer.agent.post('/api/plan', pro, header)).body.code).toBe('payment_pending')
  expect(await statesOf(payer.agent)).toEqual([{ payment: 'processing', x402: 'settling' }])
  await doors.db.query('drop trigger test_move on account; drop function refuse_test_move()')
  expect((await payer.agent.post('/api/plan', pro, header)).status).toBe(200)
  expect(await tierOf(payer.agent)).toBe('pro')
  expect(await spent(payer)).toBe(PRICE)
})

test('an outcome that nobody knows is asked about until somebody does', async () => {
  const payer = await openPayer()
  const { agent } = payer
  const header = await signed(payer, planUrl(), pro)
  facilitator = {
    ...local,
    settle: async (payment) => {
      await local.settle(payment)
      return { result: 'none', reason: 'no answer' }
    },
    lookUp: async () => ({ used: false }),
  }
  for (let asks = 0; asks < 3; asks += 1) {
    const answer = await agent.post('/api/plan', pro, header)
    expect(answer).toMatchObject({ status: 409, body: { code: 'payment_pending' } })
  }
  const [{ id, state }] = (await agent.get('/api/payments')).body.payments
  expect(state).toBe('unknown')
  facilitator = local
  await sweep()
  expect((await agent.get(`/api/payments/${id}`)).body.payment.state).toBe('succeeded')
  expect(await spent(payer)).toBe(PRICE)
})

test('two payments at once: one is sent, the other never', async () => {
  const payer = await openPayer()
  const headers = [
    await signed(payer, planUrl(), pro),
    await signed(payer, planUrl(), pro),
  ] as const
  const answers = await Promise.all(
    headers.map((header) => payer.agent.post('/api/plan', pro, header)),
  )
  expect(answers.map(({ status }) => status)).toContain(200)
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect(await spent(payer)).toBe(PRICE)
  expect(await statesOf(payer.agent)).toHaveLength(1)
})

test('the database lets neither row go its own way', async () => {
  const payer = await openPayer()
  const header = await signed(payer, planUrl(), pro)
  facilitator = { ...local, settle: die }
  await payer.agent.post('/api/plan', pro, header)
  facilitator = local
  const [payment] = await selectPayments(doors.db, payer.agent.accountId, {
    before: null,
    limit: 1,
  })
  const alone = [
    `update x402_payment set state = 'settled', transaction = '0x1' where id = '${payment?.id}'`,
    `update x402_payment set state = 'failed', error = 'x' where id = '${payment?.id}'`,
    `update payment set state = 'succeeded', is_surplus = true, provider_id = '0x1'
     where id = '${payment?.id}'`,
  ]
  for (const statement of alone) {
    await expect(doors.db.query(statement)).rejects.toThrow('do not agree')
  }
  await sweep()
  expect(await tierOf(payer.agent)).toBe('pro')
})

/** The next month of an account that has paid this one, once it has begun. */
async function nextMonth(payer: Payer) {
  await buyPro(payer)
  const begun = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1, 1))
  await insertInvoicesDue(doors.db, { at: begun, proMonthlyMinor, limit: 1_000 })
  const day = (days: number) => new Date(begun.getTime() + days * DAY_MS + 60_000)
  const collect = (days: number) => collectPayments({ ...deps, proMonthlyMinor }, day(days))
  return { collect, due: async () => (await payer.agent.get('/api/payments')).body.due }
}

test('the next month is due when it begins: its owner is told, and a wallet pays it once', async () => {
  const { accountId, email } = await openBrowser(doors)
  await doors.db.query('update developer set verified_at = now() where email = $1', [email])
  const payer = await openPayer(accountId)
  const { agent } = payer
  const { collect, due } = await nextMonth(payer)
  await collect(0)
  const mails: Mail[] = []
  const sendMail = async (mail: Mail) => void mails.push(mail)
  await mailDunning({ ...deps, sendMail })
  const [month] = await due()
  expect(month).toMatchObject({ purpose: 'pro', amount_minor: 4900 })
  const mail = mails.find(({ to }) => to === email)
  expect(mail?.subject).toBe('Payment due: USD 49')
  expect(mail?.text).toContain(`POST ${doors.url}/api/payments {"due_id": "${month.id}"}`)
  expect(mail?.text).toContain('Pro ends on')

  const body = { due_id: month.id }
  const url = `${doors.url}/api/payments`
  const header = await signed(payer, url, body)
  const paid = await agent.post('/api/payments', body, header)
  expect(paid).toMatchObject({
    status: 200,
    body: { payment: { state: 'succeeded', provider: 'x402' }, receipt: { success: true } },
  })
  expect(decoded(paid.headers.get('payment-response'))).toEqual(paid.body.receipt)
  expect((await agent.post('/api/payments', body, header)).body).toEqual(paid.body)
  expect(await due()).toEqual([])
  for (let days = 1; days < 20; days += 1) await collect(days)
  expect(await tierOf(agent)).toBe('pro')
  expect(await spent(payer)).toBe(2n * PRICE)
})

test('a month that nobody pays ends pro after the grace, and paying it brings pro back', async () => {
  const payer = await openPayer()
  const { agent } = payer
  const { collect } = await nextMonth(payer)
  for (let days = 0; days < 14; days += 1) await collect(days)
  expect(await tierOf(agent)).toBe('pro')
  await collect(14)
  expect(await tierOf(agent)).toBe('free')
  expect((await buyPro(payer)).status).toBe(200)
  expect(await tierOf(agent)).toBe('pro')
  const { changes } = (await agent.get('/api/plan')).body
  expect(changes.slice(0, 2)).toMatchObject([
    { to: 'pro', by: 'system' },
    { to: 'free', by: 'system' },
  ])
})

test('asking for pro again pays a month that has begun unpaid', async () => {
  const payer = await openPayer()
  const { accountId } = payer.agent
  await movePlan(doors.db, { accountId, to: 'pro', by: 'operator', proMonthlyMinor, at: start })
  expect((await payer.agent.post('/api/plan', pro)).status).toBe(402)
  expect((await buyPro(payer)).status).toBe(200)
  expect((await payer.agent.post('/api/plan', pro)).status).toBe(200)
  expect(await spent(payer)).toBe(PRICE)
})

test('an invoice of fees is paid from a wallet, in the currency of its venues', async () => {
  const payer = await openPayer()
  const { agent } = payer
  await doors.db.query(
    `insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
       source_kind, source_id, at)
     values (gen_random_uuid(), $1, 'IDR', 'accrued', 'unbilled', 'revenue', 164000, 'fee',
       gen_random_uuid(), $2)`,
    [agent.accountId, start],
  )
  await closeMonths(doors.db, { accountId: agent.accountId, at: later(40) })
  const [due] = (await agent.get('/api/payments')).body.due
  expect(due).toMatchObject({ purpose: 'invoice', currency: 'IDR' })
  const paid = await payer.wallet.fetch(`${doors.url}/api/payments`, payer.init({ due_id: due.id }))
  expect(paid.status, await paid.clone().text()).toBe(200)
  const balances = await balancesOf(agent)
  expect(balances).toMatchObject({ 'IDR exchange': 164000, 'IDR revenue': -164000 })
  expect(Object.keys(balances)).toHaveLength(4)
  expect((await agent.get('/api/payments')).body.due).toEqual([])
})

test('money for what costs another amount by then goes back to its wallet', async () => {
  const payer = await openPayer()
  const { agent } = payer
  const header = await signed(payer, planUrl(), pro)
  facilitator = { ...local, settle: die }
  await agent.post('/api/plan', pro, header)
  facilitator = local
  const { accountId } = agent
  await movePlan(doors.db, {
    accountId,
    to: 'pro',
    by: 'operator',
    proMonthlyMinor: 5900,
    at: start,
  })
  await sweep()
  expect(await statesOf(agent)).toEqual([{ payment: 'succeeded', x402: 'refund_due' }])
  await sendRefunds({ db: doors.db, log, facilitator: local }, new Date())
  expect(await spent(payer)).toBe(0n)
  expect(await balancesOf(agent)).toEqual({ 'USD unbilled': 5900, 'USD revenue': -5900 })
  const { rows } = await doors.db.query(
    `select r.state, r.provider_id = x.refund_transaction as is_proof from refund r
     join x402_payment x on x.id = r.payment_id where x.account_id = $1`,
    [accountId],
  )
  expect(rows).toEqual([{ state: 'succeeded', is_proof: true }])
})

test('what an operator refunds goes back whole, and what was invoiced stays', async () => {
  const payer = await openPayer()
  await buyPro(payer)
  const { accountId } = payer.agent
  const [payment] = await selectPayments(doors.db, accountId, { before: null, limit: 1 })
  if (!payment) throw new Error('no payment')
  const refund = (amount: number) =>
    transaction(doors.db, (tx) => beginRefund(tx, payment, amount, 'Goodwill', new Date()))
  await expect(refund(100)).rejects.toThrow('whole')
  expect(await refund(4900)).not.toBeNull()
  await sendRefunds({ db: doors.db, log, facilitator: local }, new Date())
  expect(await spent(payer)).toBe(0n)
  expect(await balancesOf(payer.agent)).toEqual({ 'USD unbilled': 4900, 'USD credit': -4900 })
})

test('the plan page says how the month is paid, until when, and how a wallet pays', async () => {
  const browser = await openBrowser(doors)
  const upgrade = await browser.get('/dashboard/plan/change')
  expect(upgrade.html).toContain('You pay from a wallet, in USDC')
  expect(upgrade.html).not.toContain('Continue to payment')
  const { accountId } = browser
  await movePlan(doors.db, { accountId, to: 'pro', by: 'operator', proMonthlyMinor, at: start })
  const unpaid = await browser.get('/dashboard/plan')
  expect(unpaid.html).toContain('To pay from a wallet')
  expect(unpaid.html).not.toContain('Add a card')
  expect((await buyPro(await openPayer(accountId))).status).toBe(200)
  const { html } = await browser.get('/dashboard/plan')
  const until = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  expect(html).toContain('This month is paid from a wallet')
  expect(html).toContain(until.toISOString().slice(0, 10))
})
