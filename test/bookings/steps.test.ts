import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectServicesAt } from '../../src/availability/store/venue-services.ts'
import { toInstant } from '../../src/base/local-time.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectBookingStart, selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { countStuckBookings } from '../../src/bookings/store/stuck-bookings.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { storeCommand } from '../support/commands.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { traces } from '../support/traces.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const later = (start: { startsAt: string }, hours: number) =>
  new Date(Date.parse(start.startsAt) + hours * 3_600_000)

test('every booking step happens once, even with ten concurrent workers', async () => {
  const start = await requestDaysAhead(db)
  const ten = <T>(step: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, step))
  const over = later(start, 24)
  await ten(() => openBooking(db, start, new Date()))
  await ten(() => decideBooking(db, start, stepDeps, new Date()))
  await ten(() => actWhenDue(db, start, stepDeps, over))
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

test('two workers that decide at once give the same answer', async () => {
  for (let n = 0; n < 10; n += 1) {
    const start = await requestDaysAhead(db)
    const [one, other] = await Promise.all([
      decideBooking(db, start, stepDeps, new Date()),
      decideBooking(db, start, stepDeps, new Date()),
    ])
    expect(one).toMatchObject({ answer: { booking: { status: 'confirmed' } } })
    expect(other).toEqual(one)
    expect(await traces(db, start.bookingId)).toMatchObject({
      steps: ['hold', 'confirm'],
      fees: [{ kind: 'accrual' }],
    })
  }
})

test('a held booking undecided at the start of its slot expires, free of charge', async () => {
  const start = await requestDaysAhead(db)
  await openBooking(db, start, new Date())
  const decision = await decideBooking(db, start, stepDeps, later(start, 0))
  expect(decision.answer).toMatchObject({ refusal: { code: 'hold_expired' } })
  const left = await traces(db, start.bookingId)
  expect(left).toMatchObject({ fees: [], events: ['booking.held', 'booking.expired'] })
  expect(left.booking).toMatchObject([{ status: 'expired', reason_code: 'hold_expired' }])
  expect(left.allocations).toEqual([{ kind: 'table', active: false }])
})

test('a booking completes only when it is due', async () => {
  const start = await requestDaysAhead(db)
  await openBooking(db, start, new Date())
  await decideBooking(db, start, stepDeps, new Date())
  const early = await actWhenDue(db, start, stepDeps, later(start, 0))
  expect(early.status).toBe('confirmed')
})

test('undecided requests and overdue bookings count as lost after two minutes', async () => {
  const start = await requestDaysAhead(db)
  const isLost = async (at: Date) =>
    (await selectLostBookings(db, at, { after: null, limit: 1000 })).includes(start.bookingId)
  const soon = new Date(Date.now() + 1000)
  expect(await isLost(soon)).toBe(true)
  await openBooking(db, start, new Date())
  await decideBooking(db, start, stepDeps, new Date())
  expect(await isLost(soon)).toBe(false)
  expect(await isLost(later(start, 24))).toBe(true)
  expect(
    (await selectLostBookings(db, later(start, 24), { after: null, limit: 1000 })).at(-1),
  ).toBe(start.bookingId)
  expect(await selectBookingStart(db, start.bookingId)).toEqual(start)
})

test('a booking whose command nobody begins is lost, then stuck two minutes later', async () => {
  const start = await requestDaysAhead(db)
  await openBooking(db, start, new Date())
  await decideBooking(db, start, stepDeps, new Date())
  const isLost = async () =>
    (await selectLostBookings(db, new Date(), { after: null, limit: 1000 })).includes(
      start.bookingId,
    )
  const stuckIn = (ms: number) => countStuckBookings(db, new Date(Date.now() + ms))
  expect(await isLost()).toBe(false)
  const [before, beforeThen] = [await stuckIn(0), await stuckIn(125_000)]
  await storeCommand(db, start, 'cancel', new Date(Date.now() - 1_000))
  expect(await isLost()).toBe(true)
  expect(await stuckIn(0)).toBe(before)
  expect(await stuckIn(125_000)).toBe(beforeThen + 1)
})

test('the events of an account are numbered without gaps, in commit order', async () => {
  const { rows } = await db.query(
    `select account_id, array_agg(number::int order by number) as numbers, max(c.last)::int as last
     from event join event_counter c using (account_id) group by account_id`,
  )
  for (const { numbers, last } of rows) {
    expect(numbers).toEqual(Array.from({ length: last }, (_, n) => n + 1))
  }
  expect(rows.length).toBeGreaterThan(0)
})

test('pages of lost bookings continue after the last one, so that none hides another', async () => {
  const starts = [
    await requestDaysAhead(db),
    await requestDaysAhead(db),
    await requestDaysAhead(db),
  ]
  const dueBefore = new Date(Date.now() + 1000)
  const seen: string[] = []
  for (let after: string | null = null; ; ) {
    const [lost] = await selectLostBookings(db, dueBefore, { after, limit: 1 })
    if (!lost) break
    seen.push(lost)
    after = lost
  }
  for (const { bookingId } of starts) expect(seen).toContain(bookingId)
})

test('a refusal is about the service that suits the party, not about another', async () => {
  const start = await requestDaysAhead(db)
  const { rows } = await db.query(
    `select v.id, v.slug, v.name from venue v join service o on o.venue_id = v.id
     where o.strategy = 'exclusive' group by v.id having count(*) = 2 order by v.slug limit 1`,
  )
  const services = await selectServicesAt(db, rows[0].id, start.slotTime)
  const largest = Math.max(...services.map(({ rules }) => rules.party_max))
  const night = { slotTime: `${start.slotTime.slice(0, 10)}T04:01:00`, venueId: rows[0].id }
  const startsAt = toInstant(start.timezone, night.slotTime)?.toISOString() ?? ''
  const refuse = async (partySize: number) => {
    const request = { ...start, ...night, startsAt, partySize, bookingId: await again(start) }
    return (await openBooking(db, request, new Date())).answer
  }
  expect(await refuse(largest)).toMatchObject({ refusal: { code: 'venue_closed' } })
  expect(await refuse(largest + 1)).toMatchObject({
    refusal: { code: 'party_too_large', facts: { party_max: largest } },
  })
})

/** Inserts another request like this one. */
async function again({ bookingId }: { bookingId: string }): Promise<string> {
  const id = randomUUIDv7()
  await db.query(
    `insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
       party_size, created_at)
     select $1, account_id, operation, body_hash, door, venue_id, slot_time, party_size, created_at
     from request where booking_id = $2`,
    [id, bookingId],
  )
  return id
}

test('a cancellation sent in time counts as such, however late a worker runs it', async () => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  const given = new Date()
  await insertCommand(db, {
    id: randomUUIDv7(),
    accountId: start.accountId,
    bookingId: start.bookingId,
    kind: 'cancel',
    input: { by: 'guest' },
    idempotencyKey: null,
    bodyHash: Buffer.from('x'),
    guest: null,
    door: 'rest',
    fromAgent: null,
    at: given,
  })
  await runCommands(db, start, stepDeps, { commandIds: [], at: later(start, -0.5) })
  const { fees, booking } = await traces(db, start.bookingId)
  expect(booking).toMatchObject([{ status: 'cancelled', fee_status: 'reversed' }])
  expect(fees.map(({ kind }) => kind)).toEqual(['accrual', 'reversal'])
})
