import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { money } from '../../src/base/money.ts'
import type { FeeEntry } from '../../src/bookings/schema/fees.ts'
import { selectFees } from '../../src/bookings/store/fee-list.ts'
import { insertFeeAccrual, reverseFee } from '../../src/bookings/store/fees.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { createDatabase } from '../support/database.ts'

let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

async function openAccount() {
  const id = randomUUIDv7()
  await insertAccount(db, { id, name: 'test', tier: 'pro', at: new Date() })
  return id
}

const everything = (accountId: string) => ({ accountId, from: null, until: null, currency: null })

async function readAll(accountId: string, limit: number): Promise<FeeEntry[]> {
  const read: FeeEntry[] = []
  for (let after: { at: Date; id: string } | null = null; ; ) {
    const { entries } = await selectFees(db, everything(accountId), { after, limit })
    read.push(...entries)
    const last = entries.at(-1)
    if (entries.length < limit || !last) return read
    after = { at: new Date(last.created_at), id: last.id }
  }
}

const keyOf = (entry: FeeEntry) =>
  [entry.created_at.slice(0, 7), entry.currency, entry.is_demo].join()

const instant = fc
  .integer({ min: Date.parse('2026-11-29T00:00Z'), max: Date.parse('2027-01-03T00:00Z') })
  .map((ms) => new Date(ms))
const fee = fc.record({
  amount_minor: fc.integer({ min: 0, max: 10_000_000_000 }),
  currency: fc.constantFrom('IDR', 'SGD'),
  isDemo: fc.boolean(),
  accruedAt: instant,
  reversedAt: fc.option(instant),
})

test('the totals of each month are the sum of its entries, whatever was charged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fee, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (fees, limit) => {
        const accountId = await openAccount()
        for (const { isDemo, accruedAt, reversedAt, amount_minor, currency } of fees) {
          const id = await insertBareBooking(db, accountId)
          const booking = { id, account_id: accountId, is_demo: isDemo }
          const charged = { base_minor: amount_minor * 40, amount_minor, currency, pct: 2.5 }
          await insertFeeAccrual(db, booking, charged, accruedAt)
          if (reversedAt) await reverseFee(db, booking.id, reversedAt)
        }
        const entries = await readAll(accountId, limit)
        const { totals } = await selectFees(db, everything(accountId), { after: null, limit: 1 })
        expect(entries).toHaveLength(fees.length + fees.filter((one) => one.reversedAt).length)
        expect(entries.map(({ created_at }) => created_at)).toEqual(
          entries.map(({ created_at }) => created_at).toSorted((a, b) => (a < b ? 1 : -1)),
        )
        const months = Object.entries(Object.groupBy(entries, keyOf)).map(([key, ofMonth = []]) => {
          const sum = (kind: string) =>
            ofMonth
              .filter((one) => one.kind === kind)
              .reduce((all, one) => all + one.amount_minor, 0)
          const [accrued_minor, reversed_minor] = [sum('accrual'), sum('reversal')]
          const total_minor = accrued_minor - reversed_minor
          const texts = {
            accrued_text: money(accrued_minor, ofMonth[0]?.currency ?? ''),
            reversed_text: money(reversed_minor, ofMonth[0]?.currency ?? ''),
            total_text: money(total_minor, ofMonth[0]?.currency ?? ''),
          }
          const sums = { accrued_minor, reversed_minor, total_minor, ...texts }
          return [key, { entries: ofMonth.length, ...sums }]
        })
        expect(
          totals.map(({ month, currency, is_demo, ...sums }) => [
            [month, currency, is_demo].join(),
            sums,
          ]),
        ).toEqual(expect.arrayContaining(months))
        expect(totals).toHaveLength(months.length)
      },
    ),
    { numRuns: 25 },
  )
})

test('a reversed accrual and its reversal refer to each other', async () => {
  const accountId = await openAccount()
  const id = await insertBareBooking(db, accountId)
  const booking = { id, account_id: accountId, is_demo: false }
  const charged = { base_minor: 4000, amount_minor: 100, currency: 'IDR', pct: 2.5 }
  await insertFeeAccrual(db, booking, charged, new Date('2026-11-30T23:59:59.999Z'))
  await reverseFee(db, booking.id, new Date('2026-12-01T00:00:00Z'))
  const [reversal, accrual] = await readAll(accountId, 10)
  expect(reversal).toMatchObject({ kind: 'reversal', ...charged, reverses: accrual?.id })
  expect(accrual).toMatchObject({ kind: 'accrual', ...charged, reversed_by: reversal?.id })
  const { totals } = await selectFees(db, everything(accountId), { after: null, limit: 1 })
  expect(totals.map(({ month, total_minor }) => [month, total_minor])).toEqual([
    ['2026-12', -100],
    ['2026-11', 100],
  ])
})
