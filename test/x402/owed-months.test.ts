import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertInvoicesDue, movePlan } from '../../src/accounts/store/plans.ts'
import { DAY_MS } from '../../src/contract/rules/durations.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
import { collectPayments } from '../../src/payments/steps/collect.ts'
import { mailDunning } from '../../src/payments/steps/mail-dunning.ts'
import { beginRefund } from '../../src/payments/steps/refund.ts'
import { selectPayments } from '../../src/payments/store/payments.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import type { Mail } from '../../src/platform/mail/send-mail.ts'
import { sendRefunds } from '../../src/x402/steps/send-refunds.ts'
import type { Agent } from '../support/agent.ts'
import { openBrowser } from '../support/developers.ts'
import { decoded } from './pay.ts'
import {
  die,
  openWalletDoors,
  type Payer,
  PRICE,
  pro,
  proMonthlyMinor,
  type WalletDoors,
} from './wallet-doors.ts'

const start = new Date()
const later = (days: number) => new Date(start.getTime() + days * DAY_MS)

let doors: WalletDoors
beforeAll(async () => {
  doors = await openWalletDoors()
})
afterAll(() => doors?.close())

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

test('a month paid from a wallet is in the ledger, and on its invoice as paid', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const asked = await agent.post('/api/plan', pro)
  expect(asked).toMatchObject({ status: 402, body: { accepts: [{ scheme: 'exact' }] } })
  expect(asked.body.pay_url).toBeUndefined()
  expect(await agent.post('/api/payments/card', {})).toMatchObject({
    body: { code: 'payments_off' },
  })

  expect((await payer.buyPro()).status).toBe(200)
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

/** The next month of an account that has paid this one, once it has begun. */
async function nextMonth(payer: Payer) {
  await payer.buyPro()
  const begun = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1, 1))
  await insertInvoicesDue(doors.db, { at: begun, proMonthlyMinor, limit: 1_000 })
  const day = (days: number) => new Date(begun.getTime() + days * DAY_MS + 60_000)
  const collect = (days: number) => collectPayments({ ...doors.deps, proMonthlyMinor }, day(days))
  return { collect, due: async () => (await payer.agent.get('/api/payments')).body.due }
}

test('a month is due when it begins: its owner is told, and a wallet pays it once', async () => {
  const { accountId, email } = await openBrowser(doors)
  await doors.db.query('update developer set verified_at = now() where email = $1', [email])
  const payer = await doors.openPayer(accountId)
  const { agent } = payer
  const { collect, due } = await nextMonth(payer)
  await collect(0)
  const mails: Mail[] = []
  const sendMail = async (mail: Mail) => void mails.push(mail)
  await mailDunning({ ...doors.deps, sendMail })
  const [month] = await due()
  expect(month).toMatchObject({ purpose: 'pro', amount_minor: 4900 })
  const mail = mails.find(({ to }) => to === email)
  expect(mail?.subject).toBe('Payment due: USD 49')
  expect(mail?.text).toContain(`POST ${doors.url}/api/payments {"due_id": "${month.id}"}`)
  expect(mail?.text).toContain('Pro ends on')

  const body = { due_id: month.id }
  const header = await payer.sign('/api/payments', body)
  const paid = await agent.post('/api/payments', body, header)
  expect(paid).toMatchObject({
    status: 200,
    body: { payment: { state: 'succeeded', provider: 'x402' }, receipt: { success: true } },
  })
  expect(decoded(paid.headers.get('payment-response'))).toEqual(paid.body.receipt)
  expect((await agent.post('/api/payments', body, header)).body).toEqual(paid.body)
  expect(await due()).toEqual([])
  for (let days = 1; days < 20; days += 1) await collect(days)
  expect(await doors.tierOf(agent)).toBe('pro')
  expect(await payer.spent()).toBe(2n * PRICE)
})

test('a month that nobody pays ends pro after the grace; paying it brings pro back', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const { collect } = await nextMonth(payer)
  for (let days = 0; days < 14; days += 1) await collect(days)
  expect(await doors.tierOf(agent)).toBe('pro')
  await collect(14)
  expect(await doors.tierOf(agent)).toBe('free')
  expect((await payer.buyPro()).status).toBe(200)
  expect(await doors.tierOf(agent)).toBe('pro')
  const { changes } = (await agent.get('/api/plan')).body
  expect(changes.slice(0, 2)).toMatchObject([
    { to: 'pro', by: 'system' },
    { to: 'free', by: 'system' },
  ])
})

test('asking for pro again pays a month that has begun unpaid', async () => {
  const payer = await doors.openPayer()
  const { accountId } = payer.agent
  await movePlan(doors.db, { accountId, to: 'pro', by: 'operator', proMonthlyMinor, at: start })
  expect((await payer.agent.post('/api/plan', pro)).status).toBe(402)
  const paid = await payer.buyPro()
  expect(await paid.json()).toMatchObject({ changed: false, payment: { success: true } })
  expect((await payer.agent.post('/api/plan', pro)).status).toBe(200)
  expect(await payer.spent()).toBe(PRICE)
})

test('an invoice of fees is paid from a wallet, in the currency of its venues', async () => {
  const payer = await doors.openPayer()
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
  const paid = await payer.pay('/api/payments', { due_id: due.id })
  expect(paid.status, await paid.clone().text()).toBe(200)
  const balances = await balancesOf(agent)
  expect(balances).toMatchObject({ 'IDR exchange': 164000, 'IDR revenue': -164000 })
  expect(Object.keys(balances)).toHaveLength(4)
  expect((await agent.get('/api/payments')).body.due).toEqual([])
})

test('money for what costs another amount by then goes back to its wallet', async () => {
  const payer = await doors.openPayer()
  const { agent } = payer
  const header = await payer.sign('/api/plan', pro)
  doors.settleWith({ ...doors.local, settle: die })
  await agent.post('/api/plan', pro, header)
  doors.settleWith(doors.local)
  const { accountId } = agent
  await movePlan(doors.db, {
    accountId,
    to: 'pro',
    by: 'operator',
    proMonthlyMinor: 5900,
    at: start,
  })
  await doors.sweep()
  expect(await doors.statesOf(agent)).toEqual([{ payment: 'succeeded', x402: 'refund_due' }])
  await sendRefunds({ db: doors.db, log: doors.log, facilitator: doors.local }, new Date())
  expect(await payer.spent()).toBe(0n)
  expect(await balancesOf(agent)).toEqual({ 'USD unbilled': 5900, 'USD revenue': -5900 })
  const { rows } = await doors.db.query(
    `select r.state, r.provider_id = x.refund_transaction as is_proof from refund r
     join x402_payment x on x.id = r.payment_id where x.account_id = $1`,
    [accountId],
  )
  expect(rows).toEqual([{ state: 'succeeded', is_proof: true }])
})

test('what an operator refunds goes back whole, and what was invoiced stays', async () => {
  const payer = await doors.openPayer()
  await payer.buyPro()
  const { accountId } = payer.agent
  const [payment] = await selectPayments(doors.db, accountId, { before: null, limit: 1 })
  if (!payment) throw new Error('no payment')
  const refund = (amount: number) =>
    transaction(doors.db, (tx) => beginRefund(tx, payment, amount, 'Goodwill', new Date()))
  await expect(refund(100)).rejects.toThrow('whole')
  expect(await refund(4900)).not.toBeNull()
  await sendRefunds({ db: doors.db, log: doors.log, facilitator: doors.local }, new Date())
  expect(await payer.spent()).toBe(0n)
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
  expect((await (await doors.openPayer(accountId)).buyPro()).status).toBe(200)
  const { html } = await browser.get('/dashboard/plan')
  const until = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
  expect(html).toContain('This month is paid from a wallet')
  expect(html).toContain(until.toISOString().slice(0, 10))
})
