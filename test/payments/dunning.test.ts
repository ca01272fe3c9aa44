import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { correctLedger } from '../../src/ledger/steps/correct-ledger.ts'
import { chargeDue } from '../../src/payments/steps/collect.ts'
import { mailDunning } from '../../src/payments/steps/mail-dunning.ts'
import { selectUnpaid } from '../../src/payments/store/dues.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import type { Mail } from '../../src/platform/mail/send-mail.ts'
import type { Agent } from '../support/agent.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { daily } from '../support/nightly.ts'
import { openPaymentDoors, type PaymentDoors, paymentProviders } from '../support/payment-doors.ts'

const start = new Date()
const day = (days: number) => new Date(start.getTime() + days * DAY_MS + 60_000)
const proMonthlyMinor = 4900
const month = start.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

describe.each(daily(paymentProviders))('with %s', (provider) => {
  let doors: PaymentDoors
  let mails: Mail[] = []
  let operator: Browser
  beforeAll(async () => {
    doors = await openPaymentDoors(provider)
    operator = await openBrowser(doors, { isOperator: true })
  })
  afterAll(() => doors?.close())

  const sendMails = () => {
    mails = []
    const sendMail = async (mail: Mail) => void mails.push(mail)
    return mailDunning({ ...doors.deps, sendMail }, new Date())
  }

  /** An account moved to pro by an operator, so that its month is due and unpaid. */
  async function openDebtor(card?: 'works' | 'declined' | 'silent'): Promise<Agent> {
    const agent = await doors.openAgent('free')
    const { accountId } = agent
    if (card) await doors.leaveCard(agent, card)
    await movePlan(doors.db, { accountId, to: 'pro', by: 'operator', proMonthlyMinor, at: start })
    return agent
  }

  const paymentsOf = async (agent: Agent) => (await agent.get('/api/payments')).body

  test('a month of pro is charged to the saved card, once', async () => {
    const agent = await openDebtor('works')
    expect((await paymentsOf(agent)).due).toMatchObject([{ purpose: 'pro', amount_minor: 4900 }])
    await Promise.all([doors.collect(day(0)), doors.collect(day(0))])
    await doors.collect(day(1))
    const { due, payments } = await paymentsOf(agent)
    expect(due).toEqual([])
    expect(payments).toMatchObject([{ state: 'succeeded', amount_minor: 4900 }])
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
  })

  test('a failed charge is repeated after 1, 3, 5 and 7 days, then pro ends', async () => {
    const agent = await openDebtor('declined')
    const [due] = (await paymentsOf(agent)).due
    const failures: number[] = []
    for (let at = 0; at <= 15; at += 1) {
      await doors.collect(day(at))
      const { payments } = await paymentsOf(agent)
      failures.push(payments.filter(({ due_id }: any) => due_id === due.id).length)
      if (at < 14) expect(await doors.tierOf(agent.accountId)).toBe('pro')
    }
    expect(failures).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5])
    expect(await doors.tierOf(agent.accountId)).toBe('free')
    const { changes } = (await agent.get('/api/plan')).body
    expect(changes[0]).toMatchObject({ from: 'pro', to: 'free', by: 'system' })

    const refused = await agent.post('/api/bookings', {})
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'plan_required', unpaid: { amount_minor: 4900 } },
    })
    expect(refused.body.detail).toContain('USD 49 is unpaid')
    expect(refused.body.pay_url).toMatch(/\/dashboard\/plan$/)

    const asked = await agent.post('/api/payments', { due_id: due.id })
    expect(asked).toMatchObject({ status: 402, body: { code: 'payment_required' } })
    await doors.use(asked.body.pay_url, 'works')
    await agent.get(`/api/payments/${asked.body.payment_id}`)
    expect(await doors.tierOf(agent.accountId)).toBe('pro')
    expect((await doors.balances(agent.accountId)).cash).toBe(4900)
  })

  test('owners and billing members are emailed once about each failure', async () => {
    const { accountId, email } = await openBrowser(doors, { tier: 'free' })
    await doors.db.query('update developer set verified_at = now() where email = $1', [email])
    await movePlan(doors.db, { accountId, to: 'pro', by: 'operator', proMonthlyMinor, at: start })
    const sent: Mail[] = []
    for (let at = 0; at <= 15; at += 1) {
      await doors.collect(day(at))
      for (let passes = 0; passes < 2; passes += 1) {
        await sendMails()
        sent.push(...mails)
      }
    }
    // A month that begins in the meantime is due as well.
    const own = sent.filter(({ to, text }) => to === email && text.includes(`pro for ${month}`))
    expect(own.map(({ subject }) => subject)).toEqual([
      ...Array.from({ length: 5 }, () => 'Payment failed: USD 49'),
      'Pro has ended: USD 49 is unpaid',
    ])
    expect(new Set(own.map(({ id }) => id)).size).toBe(6)
    expect(own.every(({ text }) => text.includes('/dashboard/plan'))).toBe(true)
  })

  test('an invoice is charged after its month is closed, and the ledger agrees', async () => {
    const agent = await openDebtor('works')
    await doors.collect(day(0))
    const { accountId } = agent
    // A fee this month, so that its invoice exceeds the advance payment.
    await doors.db.query(
      `insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
         source_kind, source_id, at)
       values (gen_random_uuid(), $1, 'USD', 'accrued', 'unbilled', 'revenue', 1234, 'fee',
         gen_random_uuid(), $2)`,
      [accountId, start],
    )
    const closing = day(40)
    await closeMonthsOf(doors.db, accountId, closing)
    const { due } = await paymentsOf(agent)
    expect(due).toMatchObject([{ purpose: 'invoice', amount_minor: 1234, currency: 'USD' }])
    await doors.collect(closing)
    expect((await paymentsOf(agent)).due).toEqual([])
    expect(await doors.balances(accountId)).toEqual({ cash: 6134, revenue: -6134 })
    const { rows } = await doors.db.query(
      'select status, paid_minor from invoice where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ status: 'paid', paid_minor: 6134 }])
  })

  test('a month of pro that stays unpaid is due on its invoice, and only there', async () => {
    const agent = await openDebtor('declined')
    await doors.collect(day(0))
    await closeMonthsOf(doors.db, agent.accountId, day(40))
    expect((await paymentsOf(agent)).due).toMatchObject([
      { purpose: 'invoice', amount_minor: 4900 },
    ])
    await doors.collect(day(41))
    const { rows } = await doors.db.query(
      'select purpose, failures from dunning where account_id = $1',
      [agent.accountId],
    )
    expect(rows).toEqual([{ purpose: 'invoice', failures: 2 }])
  })

  /** Adds an unbilled fee, so that the invoice differs from the monthly price. */
  const addFee = (accountId: string) =>
    doors.db.query(
      `insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
         source_kind, source_id, at)
       values (gen_random_uuid(), $1, 'USD', 'accrued', 'unbilled', 'revenue', 1234, 'fee',
         gen_random_uuid(), $2)`,
      [accountId, start],
    )
  const collectDays = async (first: number, last: number) => {
    for (let at = first; at <= last; at += 1) await doors.collect(day(at))
  }
  /** An account with an invoice for 4900 and a fee of 1234 that cannot be charged. */
  async function openInvoiced() {
    const agent = await openDebtor('declined')
    const { accountId } = agent
    await addFee(accountId)
    await closeMonthsOf(doors.db, accountId, day(40))
    const [due] = await selectUnpaid(doors.db, accountId)
    if (due?.amount_minor !== 6134) throw new Error('the invoice is not due')
    return { agent, accountId, due }
  }
  const takeBack = (accountId: string, invoice: string) =>
    operator.post(`/dashboard/operators/accounts/${accountId}/ledger/void`, {
      ...{ invoice, reason: 'Wrong rate', sure: 'yes' },
    })
  const dunningOf = async (accountId: string) =>
    (
      await doors.db.query(
        `select failures, next_at, pro_ended_at is not null as has_ended,
           paid_at is not null as is_paid, notices - mailed as unsent
         from dunning where account_id = $1 order by since`,
        [accountId],
      )
    ).rows
  const proPrices = async (accountId: string) =>
    (
      await doors.db.query('select distinct amount_minor from plan_period where account_id = $1', [
        accountId,
      ])
    ).rows.map(({ amount_minor }) => Number(amount_minor))

  test('an invoice that is reversed within the time to pay does not end pro', async () => {
    const { accountId, due } = await openInvoiced()
    await collectDays(40, 47)
    expect(await dunningOf(accountId)).toMatchObject([{ failures: 5, unsent: 5 }])
    expect((await takeBack(accountId, due.id)).status).toBe(303)
    expect(await dunningOf(accountId)).toMatchObject([{ next_at: null, unsent: 0 }])
    await collectDays(48, 56)
    expect(await doors.tierOf(accountId)).toBe('pro')
    expect(await dunningOf(accountId)).toMatchObject([{ has_ended: false, unsent: 0 }])
  })

  test('reversing the invoice that ended pro restores pro', async () => {
    const { accountId, due } = await openInvoiced()
    await collectDays(40, 54)
    expect(await doors.tierOf(accountId)).toBe('free')
    await takeBack(accountId, due.id)
    expect(await doors.tierOf(accountId)).toBe('pro')
    expect(await proPrices(accountId)).toEqual([4900])
    expect(await dunningOf(accountId)).toMatchObject([{ is_paid: false, unsent: 0 }])
  })

  test('paying the invoice that ended pro charges a new month as before', async () => {
    const { agent, accountId, due } = await openInvoiced()
    await collectDays(40, 54)
    const asked = await agent.post('/api/payments', { due_id: due.id })
    await doors.use(asked.body.pay_url, 'works')
    await doors.collect(day(90))
    expect(await doors.tierOf(accountId)).toBe('pro')
    expect(await proPrices(accountId)).toEqual([4900])
  })

  test.each([
    { what: 'that credit pays on its invoice', isPaid: true },
    { what: 'whose invoice is taken back at once', isPaid: false },
  ])('a month of pro $what restores pro', async ({ isPaid }) => {
    const agent = await openDebtor('declined')
    const { accountId } = agent
    await collectDays(0, 14)
    expect(await doors.tierOf(accountId)).toBe('free')
    const credit = { correction: 'credit', currency: 'USD', amountMinor: 4900 } as const
    const given = { ...credit, accountId, id: randomUUID(), reason: 'Sorry', at: day(20) }
    if (isPaid) await transaction(doors.db, (tx) => correctLedger(tx, given))
    await closeMonthsOf(doors.db, accountId, day(40))
    for (const { id, purpose } of await selectUnpaid(doors.db, accountId)) {
      if (purpose === 'invoice') await takeBack(accountId, id)
    }
    await Promise.all([doors.collect(day(40)), doors.collect(day(40))])
    expect(await doors.tierOf(accountId)).toBe('pro')
    expect(await proPrices(accountId)).toEqual([4900])
    const [dunning] = await dunningOf(accountId)
    expect(dunning).toMatchObject({ has_ended: true, is_paid: isPaid, unsent: 0 })
    const { changes } = (await agent.get('/api/plan')).body
    expect(changes[0]).toMatchObject({ from: 'free', to: 'pro', by: 'system' })
  })

  test('a charge that fails after its invoice was reversed is not counted', async () => {
    const { accountId, due } = await openInvoiced()
    const charge: typeof doors.deps.provider.charge = async (request) => {
      await takeBack(accountId, due.id)
      return doors.deps.provider.charge(request)
    }
    const deps = { ...doors.deps, provider: { ...doors.deps.provider, charge } }
    await chargeDue(deps, due, day(40))
    expect(await dunningOf(accountId)).toEqual([])
  })

  test('a charge that fails after pro has ended is recorded', async () => {
    const { agent, accountId, due } = await openInvoiced()
    await collectDays(40, 54)
    const path = `/dashboard/operators/accounts/${accountId}/charge`
    await operator.post(path, { due_id: due.id, reason: 'They asked', sure: 'yes' })
    const { payments } = await paymentsOf(agent)
    expect(payments[0]).toMatchObject({ state: 'failed' })
    expect(await dunningOf(accountId)).toMatchObject([{ failures: 6, next_at: null }])
  })

  test('the end of grace for a settled debt ends nothing', async () => {
    const { accountId, due } = await openInvoiced()
    await collectDays(40, 47)
    // As if voided under an earlier release, in which voiding did not end the dunning.
    await doors.db.query(`update invoice set status = 'void', voided_at = $2 where id = $1`, [
      due.id,
      day(48),
    ])
    await collectDays(54, 55)
    expect(await doors.tierOf(accountId)).toBe('pro')
  })
})
