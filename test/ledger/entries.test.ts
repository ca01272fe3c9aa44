import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/ledger/rules/ledger.ts'
import { postEntries } from '../../src/ledger/store/entries.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createSharedDatabase } from '../support/database.ts'
import { accrueFee, reverseFeeEntry } from '../support/fees.ts'
import { balances as balancesIn, openLedgerAccount } from '../support/ledger.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
let accountId: string
beforeAll(async () => {
  shared = await createSharedDatabase(2)
  db = shared.pools[0] as Pool
})
afterAll(() => shared?.close())
beforeEach(async () => {
  accountId = await openAccount()
})

const openAccount = () => openLedgerAccount(db)

const at = new Date('2026-10-05T10:00:00Z')
const payment = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ accountId, currency: 'IDR', kind: 'paid', debit: 'cash', credit: 'receivable' },
  ...{ amountMinor: 5_000, sourceKind: 'payment', sourceId: randomUUID(), at },
  ...more,
})

const balances = (id = accountId) => balancesIn(db, id)

describe('posting', () => {
  test('moves an amount from one ledger account to another', async () => {
    expect(await postEntries(db, [payment(), payment({ currency: 'USD' })])).toBe(2)
    expect(await balances()).toEqual({
      'IDR cash': 5_000,
      'IDR receivable': -5_000,
      'USD cash': 5_000,
      'USD receivable': -5_000,
    })
  })

  test('the same entry twice, even concurrently, is one entry', async () => {
    const entry = payment()
    const posted = await Promise.all(
      [...shared.pools, ...shared.pools].map((pool) => postEntries(pool, [entry])),
    )
    expect(posted.toSorted()).toEqual([0, 0, 0, 1])
    expect(await balances()).toEqual({ 'IDR cash': 5_000, 'IDR receivable': -5_000 })
  })

  test('another amount of the same source and kind is an error, and posts nothing', async () => {
    const entry = payment()
    await postEntries(db, [entry])
    await expect(postEntries(db, [{ ...entry, amountMinor: 1 }])).rejects.toThrow('another amount')
    expect(await balances()).toMatchObject({ 'IDR cash': 5_000 })
  })

  test.each([
    ['no amount', { amountMinor: 0 }],
    ['a negative amount', { amountMinor: -1 }],
    ['one ledger account on both sides', { debit: 'cash', credit: 'cash' }],
    ['an unknown ledger account', { debit: 'pocket' as 'cash' }],
    ['an accrual of something else than revenue', { kind: 'accrued' }],
  ] satisfies [string, Partial<LedgerEntry>][])('%s is refused', async (_, more) => {
    await expect(postEntries(db, [payment(more)])).rejects.toThrow()
    expect(await balances()).toEqual({})
  })

  test('without any entries is not an error', async () => {
    expect(await postEntries(db, [])).toBe(0)
  })
})

test.each([
  'update ledger_entry set amount_minor = amount_minor + 1',
  'delete from ledger_entry',
  'truncate ledger_entry cascade',
])('`%s` is refused', async (statement) => {
  await postEntries(db, [payment()])
  await expect(db.query(statement)).rejects.toThrow('never changed')
})

describe('a fee', () => {
  test('is in the ledger as soon as it accrues, and its reversal too', async () => {
    await accrueFee(db, { accountId, minor: 700 })
    await accrueFee(db, { accountId, minor: 900, isReversed: true })
    expect(await balances()).toEqual({ 'IDR revenue': -700, 'IDR unbilled': 700 })
    const { rows } = await db.query(
      `select f.kind as fee, e.kind, f.amount_minor = e.amount_minor as same
       from fee_entry f left join ledger_entry e on e.source_kind = 'fee' and e.source_id = f.id
       where f.account_id = $1 order by f.created_at, 1`,
      [accountId],
    )
    expect(rows).toEqual([
      { fee: 'accrual', kind: 'accrued', same: true },
      { fee: 'accrual', kind: 'accrued', same: true },
      { fee: 'reversal', kind: 'reversed', same: true },
    ])
  })

  test('of zero, or at a demo venue, does not count as money', async () => {
    await accrueFee(db, { accountId, minor: 0 })
    await accrueFee(db, { accountId, minor: 700, isDemo: true, isReversed: true })
    expect(await balances()).toEqual({})
  })
})

const withoutZeros = (all: Record<string, number>) =>
  Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0))

type Step =
  | { do: 'accrue'; minor: number; currency: string }
  | { do: 'reverse'; which: number }
  | { do: 'pay' | 'credit'; minor: number; currency: string; twice: boolean }

const minor = fc.integer({ min: 1, max: 9_000_000_000 })
const currency = fc.constantFrom('IDR', 'SGD', 'VND')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('accrue' as const), minor, currency }),
  fc.record({ do: fc.constant('reverse' as const), which: fc.nat(20) }),
  fc.record({
    ...{ do: fc.constantFrom('pay' as const, 'credit' as const), minor, currency },
    twice: fc.boolean(),
  }),
)

test('whatever happens, each currency balances and matches the events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const id = await openAccount()
      const expected: Record<string, number> = {}
      const move = (unit: string, debit: string, credit: string, amount: number) => {
        for (const [account, sign] of [[debit, 1] as const, [credit, -1] as const]) {
          const key = `${unit} ${account}`
          expected[key] = (expected[key] ?? 0) + sign * amount
        }
      }
      const open: { feeId: string; minor: number; currency: string }[] = []
      for (const one of steps) {
        if (one.do === 'accrue') {
          const fee = { minor: one.minor, currency: one.currency }
          open.push({ ...(await accrueFee(db, { accountId: id, ...fee })), ...fee })
          move(one.currency, 'unbilled', 'revenue', one.minor)
        } else if (one.do === 'reverse') {
          const [fee] = open.splice(one.which % Math.max(1, open.length), 1)
          if (!fee) continue
          await reverseFeeEntry(db, fee.feeId)
          move(fee.currency, 'revenue', 'unbilled', fee.minor)
        } else {
          const [debit, credit] =
            one.do === 'pay' ? (['cash', 'receivable'] as const) : (['goodwill', 'credit'] as const)
          const entry = payment({
            ...{ accountId: id, kind: one.do === 'pay' ? 'paid' : 'credited', debit, credit },
            ...{ currency: one.currency, amountMinor: one.minor },
          })
          await postEntries(db, [entry])
          if (one.twice) await postEntries(db, [entry])
          move(one.currency, debit, credit, one.minor)
        }
      }
      const found = await balances(id)
      expect(found).toEqual(withoutZeros(expected))
      for (const unit of ['IDR', 'SGD', 'VND']) {
        const sum = Object.entries(found)
          .filter(([key]) => key.startsWith(unit))
          .reduce((total, [, amount]) => total + amount, 0)
        expect(sum).toBe(0)
      }
    }),
    { numRuns: 25 },
  )
})
