import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { settleInvoice } from '../../src/ledger/steps/settle-invoice.ts'
import { voidInvoice } from '../../src/ledger/steps/void-invoice.ts'
import { postEntries } from '../../src/ledger/store/entries.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createSharedDatabase } from '../support/database.ts'
import { accrueFee, reverseFeeEntry } from '../support/fees.ts'
import { balances, invoiceLinesOf, invoicesOf, openLedgerAccount } from '../support/ledger.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
let accountId: string
beforeAll(async () => {
  shared = await createSharedDatabase(1)
  db = shared.pools[0] as Pool
})
afterAll(() => shared?.close())
beforeEach(async () => {
  accountId = await openLedgerAccount(db)
})

const november = new Date('2026-11-01T00:20:00Z')
const december = new Date('2026-12-01T00:20:00Z')
const january = new Date('2027-01-01T00:20:00Z')
const close = (at = november) => closeMonthsOf(db, accountId, at)
const fee = (minor: number, more: Partial<Parameters<typeof accrueFee>[1]> = {}) =>
  accrueFee(db, { accountId, minor, ...more })
const invoices = () => invoicesOf(db, accountId)
const lines = () => invoiceLinesOf(db, accountId)

describe('an invoice', () => {
  test.each([
    ['before', '2026-11-05T00:00:00Z', '2026-11-10T00:00:00Z'],
    ['after', '2026-11-10T00:00:00Z', '2026-11-05T00:00:00Z'],
    ['in the month after', '2026-12-10T00:00:00Z', '2026-11-05T00:00:00Z'],
  ])('taken back %s its fee is returned is no credit', async (_, voided, returned) => {
    const { feeId } = await fee(1_000)
    await close()
    const [{ id, number }] = (await invoices()) as [{ id: string; number: string }]
    const source = { sourceKind: 'payment', sourceId: randomUUID() }
    await transaction(db, (tx) =>
      settleInvoice(tx, id, { ...source, amountMinor: 300, at: november }),
    )
    const steps = [
      {
        at: new Date(returned),
        run: () => reverseFeeEntry(db, feeId, returned),
      },
      {
        at: new Date(voided),
        run: (at: Date) =>
          transaction(db, (tx) => voidInvoice(tx, accountId, id, { reason: 'Wrong rate', at })),
      },
      { at: december, run: close },
      { at: january, run: close },
      { at: january, run: close },
    ]
    for (const { at, run } of steps.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
      await run(at)
    }
    expect(await balances(db, accountId)).toEqual({ 'IDR cash': 300, 'IDR credit': -300 })
    const charged = (await lines()).filter(
      ({ description }) => description === `Not charged before: ${number} was taken back`,
    )
    expect(charged.map((one) => Number(one.amount_minor)).toSorted((a, b) => b - a)).toEqual([
      1_000,
    ])
  })

  test('with a fee and its reversal reverses both', async () => {
    await fee(700)
    await fee(1_000, { isReversed: true })
    await close()
    const [{ id }] = (await invoices()) as [{ id: string }]
    const act = { reason: 'Wrong rate', at: november }
    await transaction(db, (tx) => voidInvoice(tx, accountId, id, act))
    await close(december)
    expect(await balances(db, accountId)).toEqual({})
    expect(await invoices()).toHaveLength(2)
  })
})

describe('credit that paid an invoice and is refunded', () => {
  const paidByWallet = { kind: 'paid', debit: 'exchange', credit: 'credit' } as const
  const refunded = { kind: 'refunded', debit: 'credit', credit: 'exchange' } as const
  const post = (sides: typeof paidByWallet | typeof refunded, day: string) => {
    const source = { sourceKind: 'x402', sourceId: randomUUID() }
    const of = { accountId, currency: 'IDR', ...source, amountMinor: 1_000 }
    return postEntries(db, [{ ...sides, ...of, at: new Date(`${day}T00:00:00Z`) }])
  }

  test('is charged with the next invoice', async () => {
    const { feeId } = await fee(1_000)
    await post(paidByWallet, '2026-10-05')
    await close()
    await fee(4_000, { at: '2026-11-05T00:00:00Z' })
    await reverseFeeEntry(db, feeId, '2026-11-09T00:00:00Z')
    await post(refunded, '2026-11-10')
    for (let times = 0; times < 2; times += 1) await close(december)
    expect((await invoices())[1]).toMatchObject({ total_minor: 4_000, credit_minor: 0 })
    expect((await lines()).at(-1)).toMatchObject({
      ...{ kind: 'adjustment', description: 'Refunded after it had paid an invoice' },
      amount_minor: 1_000,
    })
    expect(await balances(db, accountId)).toEqual({
      ...{ 'IDR receivable': 4_000, 'IDR revenue': -4_000 },
    })
  })

  test('is charged even if nothing else is, each time that it happens', async () => {
    await fee(1_000)
    await post(paidByWallet, '2026-10-05')
    await close()
    await post(refunded, '2026-11-03')
    await close(december)
    await post(refunded, '2026-12-03')
    await close(january)
    expect((await invoices()).map((one) => one.total_minor)).toEqual([1_000, 1_000, 1_000])
    expect(await balances(db, accountId)).toMatchObject({ 'IDR receivable': 2_000 })
  })

  test('is not charged before the end of the month in which it is refunded', async () => {
    await fee(1_000)
    await fee(500, { at: '2026-11-05T00:00:00Z' })
    await post(paidByWallet, '2026-10-05')
    await close()
    await post(refunded, '2026-12-01')
    await close(december)
    expect((await invoices())[1]).toMatchObject({ total_minor: 500, credit_minor: 0 })
    await close(january)
    expect((await invoices())[2]).toMatchObject({ month: '2026-12', total_minor: 1_000 })
  })
})
