import { expect } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { SECOND_MS } from '../../src/contract/rules/durations.ts'
import { findBreaches } from '../../src/guarantee/steps/find-breaches.ts'
import { balancesOf } from '../../src/ledger/store/balances.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { readableLog } from './lines.ts'

const { log } = readableLog()

/** So many seconds later. */
export const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * SECOND_MS)

/** Two finders on each pool at once, and one more afterwards that finds nothing new. */
export async function findOften(pools: readonly Pool[], at: Date): Promise<void> {
  await Promise.all([...pools, ...pools].map((db) => findBreaches({ db, log }, at)))
  const pass = await findBreaches({ db: pools[0] as Pool, log }, at)
  expect(pass).toMatchObject({ done: 0, failed: 0 })
}

/** The breaches of a booking, the events of their credits, and what its account is owed. */
export async function foundFor(
  db: Pool,
  { bookingId, accountId }: Pick<BookingStart, 'bookingId' | 'accountId'>,
) {
  const breaches = await db.query(
    `select promise, why, credit_minor::int from guarantee_breach where booking_id = $1
     order by promise`,
    [bookingId],
  )
  const events = await db.query(
    `select data ->> 'promise' as promise from event
     where account_id = $1 and type = 'guarantee.credited' and data ->> 'booking_id' = $2`,
    [accountId, bookingId],
  )
  const balances = await balancesOf(db, accountId)
  const credit = balances.find(
    ({ account, currency }) => account === 'credit' && currency === 'USD',
  )
  return {
    rows: breaches.rows,
    events: events.rows.map(({ promise }) => promise),
    owed: 0 - (credit?.balance_minor ?? 0),
  }
}

/** Every promise was kept. */
export const kept = { rows: [], events: [], owed: 0 }

/** One breach with one credit. */
export const once = (promise: string, why: string, credit: number) => ({
  rows: [{ promise, why, credit_minor: credit }],
  events: [promise],
  owed: credit,
})
