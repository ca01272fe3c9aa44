import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeMonths, closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { settleInvoice } from '../../src/ledger/steps/settle-invoice.ts'
import { voidInvoice } from '../../src/ledger/steps/void-invoice.ts'
import { postEntries } from '../../src/ledger/store/entries.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createSharedDatabase } from '../support/database.ts'
import { accrueFee, reverseFeeEntry } from '../support/fees.ts'
import { balances, invoiceLinesOf, invoicesOf, openLedgerAccount } from '../support/ledger.ts'

const log = createLog('silent')

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
let accountId: string
beforeAll(async () => {
  shared = await createSharedDatabase(4)
  db = shared.pools[0] as Pool
})
afterAll(() => shared?.close())
beforeEach(async () => {
  accountId = await openLedgerAccount(db)
})

const november = new Date('2026-11-01T00:20:00Z')
const december = new Date('2026-12-01T00:20:00Z')
const close = async (at = november, pool = db) => ({
  invoices: await closeMonthsOf(pool, accountId, at),
})
const fee = (minor: number, more: Partial<Parameters<typeof accrueFee>[1]> = {}) =>
  accrueFee(db, { accountId, minor, ...more })

const invoices = () => invoicesOf(db, accountId)
const lines = () => invoiceLinesOf(db, accountId)
const chargePro = (month: string) =>
  db.query(
    `insert into plan_period (id, account_id, month, kind, amount_minor, currency, created_at)
     values (gen_random_uuid(), $1, $2, 'pro', 4900, 'USD', $2::date + interval '2 hours')`,
    [accountId, month],
  )
const numberOf = (sequence: number) => `INV-${accountId.slice(-12).toUpperCase()}-000${sequence}`

describe('at the end of a month', () => {
  test('its fees and its pro charge become one invoice for each currency', async () => {
    await fee(1_000)
    await fee(300, { isReversed: true, at: '2026-10-06T10:00:00Z' })
    await fee(77, { currency: 'SGD' })
    await fee(5_000, { isDemo: true })
    await fee(9_999, { at: '2026-11-01T00:00:00Z' })
    await chargePro('2026-10-01')
    expect(await close()).toMatchObject({ invoices: 3 })
    expect(await invoices()).toMatchObject([
      { number: numberOf(1), month: '2026-10', currency: 'IDR', total_minor: 1_000 },
      { number: numberOf(2), currency: 'SGD', total_minor: 77, status: 'open' },
      { number: numberOf(3), currency: 'USD', total_minor: 4_900 },
    ])
    expect((await lines()).map(({ kind, amount_minor }) => [kind, amount_minor])).toEqual([
      ['fee', 1_000],
      ['fee', 300],
      ['reversal', -300],
      ['fee', 77],
      ['pro', 4_900],
    ])
    expect((await lines()).at(-1)?.description).toBe('Pro tier, October 2026')
    expect(await balances(db, accountId)).toMatchObject({
      'IDR receivable': 1_000,
      'IDR unbilled': 9_999,
      'SGD receivable': 77,
      'USD receivable': 4_900,
    })
  })

  test('closing it again, even concurrently, issues nothing further', async () => {
    for (const minor of [1, 2, 3]) await fee(minor)
    await fee(4, { currency: 'SGD' })
    const closed = await Promise.all(shared.pools.map((pool) => close(november, pool)))
    expect(closed.map((one) => one.invoices).toSorted()).toEqual([0, 0, 0, 2])
    await close(new Date('2026-11-20T00:00:00Z'))
    expect(await invoices()).toHaveLength(2)
    expect(await lines()).toHaveLength(4)
  })

  test('a month that is not over stays open', async () => {
    await fee(1_000)
    expect(await close(new Date('2026-10-31T23:59:59.999Z'))).toMatchObject({ invoices: 0 })
    expect(await invoices()).toEqual([])
  })

  test('months that nobody closed are closed in order', async () => {
    await fee(1, { at: '2026-08-20T00:00:00Z' })
    await fee(2, { at: '2026-10-20T00:00:00Z' })
    await close(december)
    expect((await invoices()).map((one) => [one.month, one.total_minor])).toEqual([
      ['2026-08', 1],
      ['2026-10', 2],
    ])
  })

  test('a late entry is on the next invoice', async () => {
    await fee(1)
    await close()
    await fee(2, { at: '2026-10-31T23:59:59Z' })
    await close()
    expect(await invoices()).toHaveLength(1)
    await close(december)
    expect(await invoices()).toMatchObject([
      { month: '2026-10', total_minor: 1 },
      { month: '2026-11', total_minor: 2 },
    ])
  })

  test('every account is closed once, deleted ones too', async () => {
    await fee(5)
    await db.query('update account set deleted_at = now() where id = $1', [accountId])
    for (let more = true; more; ) more = (await closeMonths({ db, log }, november)).next !== null
    expect(await invoices()).toMatchObject([{ total_minor: 5 }])
    expect(await closeMonths({ db, log }, november)).toMatchObject({ done: 0, invoices: 0 })
  })
})

describe('a fee reversed after it was invoiced', () => {
  test('is a credit line of the next invoice', async () => {
    const { feeId } = await fee(1_000)
    await close()
    await reverseFeeEntry(db, feeId, '2026-11-10T00:00:00Z')
    await fee(1_500, { at: '2026-11-11T00:00:00Z' })
    await close(december)
    expect((await invoices()).map((one) => one.total_minor)).toEqual([1_000, 500])
    expect((await lines()).map(({ kind, amount_minor }) => [kind, amount_minor])).toEqual([
      ['fee', 1_000],
      ['reversal', -1_000],
      ['fee', 1_500],
    ])
  })

  test('if no fees offset it, is credit that pays the next invoice', async () => {
    const { feeId } = await fee(1_000)
    await close()
    await reverseFeeEntry(db, feeId, '2026-11-10T00:00:00Z')
    await close(december)
    expect((await invoices())[1]).toMatchObject({ total_minor: -1_000, status: 'paid' })
    expect(await balances(db, accountId)).toMatchObject({
      'IDR credit': -1_000,
      'IDR receivable': 1_000,
    })
    await fee(1_200, { at: '2026-12-05T00:00:00Z' })
    await close(new Date('2027-01-01T01:00:00Z'))
    expect((await invoices())[2]).toMatchObject({
      ...{ total_minor: 1_200, credit_minor: 1_000, paid_minor: 1_000, status: 'open' },
    })
    expect(await balances(db, accountId)).toEqual({
      'IDR receivable': 1_200,
      'IDR revenue': -1_200,
    })
  })
})

const payment = (more = {}) => ({
  ...{ sourceKind: 'payment', sourceId: randomUUID(), at: december },
  ...more,
})
const settle = (id: string, more = {}) =>
  transaction(db, (tx) => settleInvoice(tx, id, payment(more)))

describe('paying', () => {
  test('what is due makes an invoice paid, once for each payment', async () => {
    await fee(1_000)
    await close()
    const [{ id }] = (await invoices()) as [{ id: string }]
    const once = payment()
    const settled = await Promise.all(
      shared.pools.map((pool) => transaction(pool, (tx) => settleInvoice(tx, id, once))),
    )
    for (const one of settled) expect(one).toMatchObject({ status: 'paid', paid_minor: 1_000 })
    expect(await balances(db, accountId)).toEqual({ 'IDR cash': 1_000, 'IDR revenue': -1_000 })
  })

  test('a part leaves it open, and an overpayment becomes credit', async () => {
    await fee(1_000)
    await close()
    const [{ id }] = (await invoices()) as [{ id: string }]
    expect(await settle(id, { amountMinor: 400 })).toMatchObject({ status: 'open' })
    expect(await settle(id, { amountMinor: 700 })).toMatchObject({ status: 'paid' })
    expect(await settle(id, { amountMinor: 50 })).toMatchObject({ status: 'paid' })
    expect(await balances(db, accountId)).toEqual({
      ...{ 'IDR cash': 1_150, 'IDR credit': -150, 'IDR revenue': -1_000 },
    })
  })

  test('does not affect an unknown invoice', async () => {
    expect(await settle(randomUUID())).toBeUndefined()
  })
})

describe('a void invoice', () => {
  test('has a credit note with the next number, and what was paid becomes credit', async () => {
    await fee(1_000)
    await close()
    const [{ id }] = (await invoices()) as [{ id: string }]
    await settle(id, { amountMinor: 300 })
    const act = { reason: 'Wrong rate', at: december }
    for (let times = 0; times < 2; times += 1) {
      await transaction(db, (tx) => voidInvoice(tx, accountId, id, act))
    }
    expect(await invoices()).toMatchObject([
      { number: numberOf(1), status: 'void' },
      { number: numberOf(2), status: 'paid', kind: 'credit_note', total_minor: -1_000 },
    ])
    expect((await lines()).at(-1)?.description).toBe(`Credit for ${numberOf(1)}: Wrong rate`)
    expect(await balances(db, accountId)).toEqual({ 'IDR cash': 300, 'IDR credit': -300 })
    await close(december)
    expect(await invoices()).toHaveLength(2)
  })

  test('of another account, or a paid one, cannot be voided', async () => {
    await fee(1_000)
    await close()
    const [{ id }] = (await invoices()) as [{ id: string }]
    const act = { reason: 'Wrong', at: december }
    const other = await openLedgerAccount(db)
    expect(await transaction(db, (tx) => voidInvoice(tx, other, id, act))).toBeUndefined()
    await settle(id)
    await transaction(db, (tx) => voidInvoice(tx, accountId, id, act))
    expect(await invoices()).toMatchObject([{ status: 'paid' }])
  })
})

describe('what is issued', () => {
  test.each([
    'update invoice set total_minor = 1',
    'delete from invoice',
    `update invoice_line set description = 'x'`,
    'delete from invoice_line',
  ])('`%s` is refused', async (statement) => {
    await fee(1_000)
    await close()
    await expect(db.query(statement)).rejects.toThrow(/is issued|never changed/)
  })

  test('is numbered without gaps', async () => {
    await fee(1_000)
    await close()
    const skip = db.query(
      `insert into invoice (id, account_id, kind, sequence, number, month, currency,
         total_minor, credit_minor, paid_minor, status, issued_at, due_at)
       select gen_random_uuid(), account_id, kind, 3, 'x', '2027-01-01', currency, 1, 0, 0, 'open',
         now(), now() from invoice where account_id = $1`,
      [accountId],
    )
    await expect(skip).rejects.toThrow('invoice_no_gap')
  })

  test('is paid with credit that the network gave', async () => {
    const credit = { debit: 'goodwill', credit: 'credit', kind: 'credited' } as const
    const source = { sourceKind: 'guarantee', sourceId: randomUUID(), at: november }
    await postEntries(db, [{ ...credit, ...source, accountId, currency: 'IDR', amountMinor: 900 }])
    await fee(400)
    await close()
    expect(await invoices()).toMatchObject([{ credit_minor: 400, status: 'paid' }])
    expect(await balances(db, accountId)).toEqual({
      ...{ 'IDR credit': -500, 'IDR goodwill': 900, 'IDR revenue': -400 },
    })
  })
})
