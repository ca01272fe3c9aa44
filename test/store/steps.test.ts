import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeBooking } from '../../activities/complete-booking.ts'
import { confirmBooking } from '../../activities/confirm-booking.ts'
import { openBooking } from '../../activities/open-booking.ts'
import { selectLostBookings } from '../../src/store/bookings.ts'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { traces } from '../support/traces.ts'

const terms = { feePct: 2.5, completionGraceMinutes: 15 }
let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 20, () => {})
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const later = (start: { startsAt: string }, hours: number) =>
  new Date(Date.parse(start.startsAt) + hours * 3_600_000)

test('every step of a booking, run by ten workers at once, happens once', async () => {
  const start = await requestDaysAhead(db)
  const ten = <T>(step: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, step))
  const over = later(start, 24)
  await ten(() => openBooking(db, start, new Date()))
  await ten(() => confirmBooking(db, start, terms, new Date()))
  await ten(() => completeBooking(db, start.bookingId, over))
  const left = await traces(db, start.bookingId)
  expect(left.steps).toEqual(['hold', 'confirm', 'complete'])
  expect(left.fees).toHaveLength(1)
  expect(left.events).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.completed',
  ])
  expect(left.allocations).toEqual([{ kind: 'table', active: false }])
})

test('a held booking whose slot began before anybody could decide expires, free of charge', async () => {
  const start = await requestDaysAhead(db)
  await openBooking(db, start, new Date())
  const decision = await confirmBooking(db, start, terms, later(start, 0))
  expect(decision.answer).toMatchObject({ refusal: { code: 'hold_expired' } })
  const left = await traces(db, start.bookingId)
  expect(left).toMatchObject({ fees: [], events: ['booking.held', 'booking.expired'] })
  expect(left.booking).toMatchObject([{ status: 'expired', reason_code: 'hold_expired' }])
  expect(left.allocations).toEqual([{ kind: 'table', active: false }])
})

test('a booking completes only once its time has come', async () => {
  const start = await requestDaysAhead(db)
  await openBooking(db, start, new Date())
  await confirmBooking(db, start, terms, new Date())
  const early = await completeBooking(db, start.bookingId, later(start, 0))
  expect(early.status).toBe('confirmed')
})

test('lost are requests that nobody decided and bookings whose next action did not come, after two minutes', async () => {
  const start = await requestDaysAhead(db)
  const isLost = async (at: Date) =>
    (await selectLostBookings(db, at, 1000)).some(({ bookingId }) => bookingId === start.bookingId)
  const soon = new Date(Date.now() + 1000)
  expect(await isLost(soon)).toBe(true)
  await openBooking(db, start, new Date())
  await confirmBooking(db, start, terms, new Date())
  expect(await isLost(soon)).toBe(false)
  expect(await isLost(later(start, 24))).toBe(true)
  expect((await selectLostBookings(db, later(start, 24), 1000)).at(-1)).toEqual(start)
})

test('events of an account are numbered without gaps, in the order in which they were committed', async () => {
  const { rows } = await db.query(
    `select account_id, array_agg(number::int order by number) as numbers, max(c.last)::int as last
     from event join event_counter c using (account_id) group by account_id`,
  )
  for (const { numbers, last } of rows) {
    expect(numbers).toEqual(Array.from({ length: last }, (_, n) => n + 1))
  }
  expect(rows.length).toBeGreaterThan(0)
})
