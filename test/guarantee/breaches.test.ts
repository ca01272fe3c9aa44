import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking, openBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { findOften, foundFor, kept, later, once } from '../support/breaches.ts'
import { createSharedDatabase } from '../support/database.ts'
import { requestDaysAhead, writeRequest } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool

beforeAll(async () => {
  shared = await createSharedDatabase(3)
  db = shared.pools[0] as Pool
  await db.query(`update venue set is_demo = false`)
})
afterAll(() => shared?.close())

const find = (at: Date) => findOften(shared.pools, at)
const found = (start: BookingStart) => foundFor(db, start)

describe('an answer', () => {
  test('in time breaks nothing', async () => {
    const at = new Date()
    const start = await requestDaysAhead(db, { at })
    await decideBooking(db, start, stepDeps, later(at, 2))
    await find(later(at, 60))
    expect(await found(start)).toEqual(kept)
  })

  test('that never comes is credited once, while no worker runs', async () => {
    const at = new Date()
    const start = await requestDaysAhead(db, { at })
    await find(later(at, 29))
    expect(await found(start)).toEqual(kept)
    await find(later(at, 40))
    const breach = once('answer', 'The request had no answer after 40 s.', 100)
    expect(await found(start)).toEqual(breach)
    // Answered at last, it is the same breach.
    await decideBooking(db, start, stepDeps, later(at, 50))
    await find(later(at, 60))
    expect(await found(start)).toEqual(breach)
  })

  test('that came late is found afterwards, also a refusal', async () => {
    const at = new Date()
    const start = await requestDaysAhead(db, { at })
    await decideBooking(db, start, stepDeps, later(at, 45))
    const rival = { ...start, bookingId: randomUUIDv7(), slotTime: '2026-01-01T03:07:00' }
    await writeRequest(db, rival, at)
    await decideBooking(db, rival, stepDeps, later(at, 31))
    await find(later(at, 60))
    const [first, second] = [await found(start), await found(rival)]
    expect(first.rows).toMatchObject([{ why: 'The request was answered after 45 s.' }])
    expect(second.rows).toMatchObject([{ why: 'The request was answered after 31 s.' }])
    expect(first.owed).toBe(200)
  })

  test('is found after an outage of the finder of hours', async () => {
    const at = new Date()
    await find(at)
    const start = await requestDaysAhead(db, { at: later(at, 60) })
    await decideBooking(db, start, stepDeps, later(at, 7_200))
    await find(later(at, 7_260))
    expect((await found(start)).rows).toMatchObject([{ promise: 'answer' }])
  })

  test('to a hold is the hold', async () => {
    const at = new Date()
    const start = await requestDaysAhead(db, { purpose: 'hold', at })
    await openBooking(db, start, at)
    await find(later(at, 120))
    expect(await found(start)).toEqual(kept)
  })
})

test('a slot that was sold twice is found, should the constraint ever be missing', async () => {
  const at = new Date()
  const start = await requestDaysAhead(db, { at })
  await decideBooking(db, start, stepDeps, at)
  const other = await requestDaysAhead(db, { at })
  await decideBooking(db, other, stepDeps, at)
  await find(later(at, 1))
  expect(await found(other)).toEqual(kept)
  await db.query(`alter table allocation drop constraint allocation_no_overlap`)
  await db.query(
    `update allocation a set resource_id = o.resource_id, during = o.during
     from allocation o where a.booking_id = $1 and o.booking_id = $2`,
    [other.bookingId, start.bookingId],
  )
  await find(later(at, 2))
  const why = 'Another confirmed booking has the same table or room.'
  expect(await found(other)).toEqual(once('one_sale', why, 5_000))
  expect(await found(start)).toEqual(kept)
})

describe('credits', () => {
  test('are none at demo venues, where nothing is charged', async () => {
    const at = new Date()
    const start = await requestDaysAhead(db, { at })
    await db.query(`update venue set is_demo = true`)
    await find(later(at, 40))
    await db.query(`update venue set is_demo = false`)
    const { rows, events, owed } = await found(start)
    expect({ events, owed, rows }).toMatchObject({
      ...{ events: [], owed: 0, rows: [{ promise: 'answer', credit_minor: 0 }] },
    })
  })

  test('of a month have a limit, however many finders run at once', async () => {
    const at = new Date()
    const first = await requestDaysAhead(db, { at })
    const starts = Array.from({ length: 20 }, () => ({ ...first, bookingId: randomUUIDv7() }))
    for (const start of starts) await writeRequest(db, start, at)
    const foundAt = later(at, 40)
    await db.query(
      `insert into guarantee_breach (id, account_id, booking_id, promise, why, broken_at, found_at,
         is_demo, credit_minor, currency)
       values ($1, $2, $1, 'one_sale', 'earlier', $3, $3, false, 49_500, 'USD')`,
      [randomUUIDv7(), first.accountId, foundAt],
    )
    await find(foundAt)
    const { rows } = await db.query(
      `select count(*)::int, sum(credit_minor)::int as credited from guarantee_breach
       where account_id = $1`,
      [first.accountId],
    )
    expect(rows).toEqual([{ count: 22, credited: 50_000 }])
  })

  test('never change once they are recorded', async () => {
    const change = db.query(`update guarantee_breach set credit_minor = 1`)
    await expect(change).rejects.toThrow('never change')
    await expect(db.query(`delete from guarantee_breach`)).rejects.toThrow('never change')
  })
})
