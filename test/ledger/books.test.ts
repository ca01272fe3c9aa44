import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/ledger/rules/ledger.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { settleInvoice } from '../../src/ledger/steps/settle-invoice.ts'
import { voidInvoice } from '../../src/ledger/steps/void-invoice.ts'
import { postEntries } from '../../src/ledger/store/entries.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { bookInvariants } from '../../tools/proof/books.ts'
import { createSharedDatabase } from '../support/database.ts'
import { accrueFee, reverseFeeEntry } from '../support/fees.ts'
import { openLedgerAccount } from '../support/ledger.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool
beforeAll(async () => {
  shared = await createSharedDatabase(1)
  db = shared.pools[0] as Pool
})
afterAll(() => shared?.close())

async function disagreements() {
  const found: Record<string, unknown> = {}
  for (const { name, broken } of bookInvariants) {
    const { rows } = await db.query(broken)
    if (rows.length > 0) found[name] = rows
  }
  return found
}

const minor = fc.integer({ min: 1, max: 5_000_000 })
const currency = fc.constantFrom('IDR', 'SGD')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('accrue' as const), minor, currency }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('month' as const) }) },
  fc.record({ do: fc.constant('pay' as const), which: fc.nat(9), minor: fc.option(minor) }),
  fc.record({ do: fc.constant('void' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('credit' as const), minor, currency }),
  fc.record({ do: fc.constant('prepay' as const), minor, currency }),
  fc.record({ do: fc.constant('refund' as const), which: fc.nat(9) }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Runs an account's steps, a day apart; the step `month` closes the months that are over. */
async function run(accountId: string, steps: readonly Step[]) {
  const fees: string[] = []
  const prepaid: Pick<LedgerEntry, 'currency' | 'amountMinor' | 'sourceKind' | 'sourceId'>[] = []
  let at = new Date('2026-01-20T00:00:00Z')
  const invoiceOf = async (which: number) => {
    const { rows } = await db.query(
      `select id from invoice where account_id = $1 and kind = 'invoice' order by sequence`,
      [accountId],
    )
    return rows[which % Math.max(1, rows.length)]?.id as string | undefined
  }
  for (const one of steps) {
    at = new Date(at.getTime() + (one.do === 'month' ? 31 : 1) * 86_400_000)
    if (one.do === 'accrue') {
      const fee = { accountId, minor: one.minor, currency: one.currency, at: at.toISOString() }
      fees.push((await accrueFee(db, fee)).feeId)
    } else if (one.do === 'reverse') {
      const [feeId] = fees.splice(one.which % Math.max(1, fees.length), 1)
      if (feeId) await reverseFeeEntry(db, feeId, at.toISOString())
    } else if (one.do === 'month') {
      await closeMonthsOf(db, accountId, at)
    } else if (one.do === 'credit') {
      const moved = { kind: 'credited', debit: 'goodwill', credit: 'credit' } as const
      const of = { accountId, currency: one.currency, amountMinor: one.minor, at }
      await postEntries(db, [{ ...of, ...moved, sourceKind: 'breach', sourceId: randomUUID() }])
    } else if (one.do === 'prepay') {
      const moved = { kind: 'paid', debit: 'exchange', credit: 'credit' } as const
      const source = { sourceKind: 'x402', sourceId: randomUUID() }
      const payment = { currency: one.currency, amountMinor: one.minor, ...source }
      await postEntries(db, [{ ...payment, ...moved, accountId, at }])
      prepaid.push(payment)
    } else if (one.do === 'refund') {
      const [payment] = prepaid.splice(one.which % Math.max(1, prepaid.length), 1)
      const moved = { kind: 'refunded', debit: 'credit', credit: 'exchange' } as const
      if (payment) await postEntries(db, [{ ...payment, ...moved, accountId, at }])
    } else {
      const id = await invoiceOf(one.which)
      if (!id) continue
      await transaction(db, (tx) =>
        one.do === 'void'
          ? voidInvoice(tx, accountId, id, { reason: 'wrong', at })
          : settleInvoice(tx, id, {
              ...{ sourceKind: 'payment', sourceId: randomUUID(), at },
              ...(one.minor !== null && { amountMinor: one.minor }),
            }),
      )
    }
  }
  // Every month with a step is over.
  await closeMonthsOf(db, accountId, new Date(at.getTime() + 62 * 86_400_000))
}

test('fees, invoices and payments agree to the last minor unit, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
      await run(await openLedgerAccount(db), steps)
      expect(await disagreements()).toEqual({})
    }),
    { numRuns: 40 },
  )
})

test('the checks find books that disagree', async () => {
  const accountId = await openLedgerAccount(db)
  await accrueFee(db, { accountId, minor: 500 })
  await closeMonthsOf(db, accountId, new Date('2026-11-02T00:00:00Z'))
  const of = { accountId, currency: 'IDR', amountMinor: 100, at: new Date() }
  const source = { sourceKind: 'fee', sourceId: randomUUID() }
  await postEntries(db, [
    { ...of, ...source, kind: 'accrued', debit: 'unbilled', credit: 'revenue' },
    { ...of, ...source, kind: 'paid', debit: 'cash', credit: 'receivable' },
    { ...of, ...source, kind: 'credited', debit: 'credit', credit: 'unbilled' },
  ])
  expect(Object.keys(await disagreements())).toEqual([
    'fees agree with what the ledger accrued less what it reversed',
    'what is receivable is what open invoices leave to be paid',
    'what is unbilled is what is on no invoice',
    'no account has less than nothing in credit',
  ])
})
