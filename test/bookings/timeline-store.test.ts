import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { appendToTimeline } from '../../src/bookings/store/timeline.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool, type TestDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { timelineOf, verifies } from '../support/timeline.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 20)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const confirmed = async () => {
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  return start
}

const completed = async () => {
  const start = await confirmed()
  const over = new Date(Date.parse(start.startsAt) + 24 * 3_600_000)
  await actWhenDue(db, start, stepDeps, over)
  return start
}

test('each step is an entry with who, when and why, in a chain that ends at the head', async () => {
  const start = await completed()
  const { entries, head } = await timelineOf(db, start)
  expect(entries.map(({ number, by, status, revision }) => [number, by, status, revision])).toEqual(
    [
      [1, 'agent', 'held', 1],
      [2, 'network', 'confirmed', 2],
      [3, 'network', 'completed', 3],
    ],
  )
  expect(entries.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^A slot for 2 at .+ was held: .+, \d+ min, 20[\d-]+ at \d\d:\d\d \(/),
    'The booking was confirmed. Its fee was recorded.',
    'The booking was completed.',
  ])
  expect(entries[0]?.why).toBe('The agent asked to book it.')
  expect(entries.at(-1)?.hash).toBe(head)
  expect(await verifies(db, start)).toBe(true)
})

test('steps run by ten concurrent workers are recorded once', async () => {
  const start = await requestDaysAhead(db)
  await Promise.all(
    Array.from({ length: 10 }, () => decideBooking(db, start, stepDeps, new Date())),
  )
  const { entries } = await timelineOf(db, start)
  expect(entries.map(({ status }) => status)).toEqual(['held', 'confirmed'])
  expect(await verifies(db, start)).toBe(true)
})

test('an entry without a new status or revision is recorded once per version read', async () => {
  const start = await confirmed()
  const told = { by: 'network', what: 'The guest was reminded.', why: 'It is soon.' } as const
  const at = new Date()
  const stale = transaction(db, async (tx) => {
    const booking = await selectBookingForUpdate(tx, start.bookingId)
    await appendToTimeline(tx, booking, told, at)
    await appendToTimeline(tx, booking, told, at)
  })
  await expect(stale).rejects.toThrow('the timeline has changed since the booking was read')
  await transaction(db, async (tx) =>
    appendToTimeline(tx, await selectBookingForUpdate(tx, start.bookingId), told, at),
  )
  const { entries } = await timelineOf(db, start)
  expect(entries.slice(2)).toMatchObject([
    { number: 3, ...told, at: at.toISOString(), revision: 2, status: 'confirmed' },
  ])
  expect(await verifies(db, start)).toBe(true)
})

describe('the database refuses', () => {
  const change = async (statement: string) => {
    const { bookingId } = await completed()
    return db.query(statement, [bookingId])
  }

  test.each([
    ["update timeline_entry set why = 'x' where booking_id = $1", 'never change'],
    ['delete from timeline_entry where booking_id = $1 and number = 3', 'never change'],
    [
      'update booking set revision = revision + 1 where id = $1',
      'changed without an entry in its timeline',
    ],
    [
      `insert into timeline_entry (booking_id, number, at, by, what, why, revision, status,
       previous, hash)
       select booking_id, 5, at, by, what, why, revision, status, previous, hash
       from timeline_entry where booking_id = $1 and number = 3`,
      'timeline_entry_booking_id_preceding_fkey',
    ],
  ])('%s', async (statement, refusal) => {
    await expect(change(statement)).rejects.toThrow(refusal)
  })
})

describe('tampering that bypasses these checks breaks the chain', () => {
  const tamper = async (statement: string) => {
    const start = await completed()
    const client = await db.connect()
    try {
      await client.query('begin; set local session_replication_role = replica')
      const { rowCount } = await client.query(statement, [start.bookingId])
      await client.query('commit')
      expect(rowCount).toBe(1)
    } finally {
      client.release()
    }
    return start
  }

  test.each([
    "update timeline_entry set why = 'x' where booking_id = $1 and number = 2",
    "update timeline_entry set by = 'venue' where booking_id = $1 and number = 2",
    "update timeline_entry set at = at + interval '1 ms' where booking_id = $1 and number = 1",
    'delete from timeline_entry where booking_id = $1 and number = 1',
    'delete from timeline_entry where booking_id = $1 and number = 2',
    'delete from timeline_entry where booking_id = $1 and number = 3',
    'update booking set timeline_length = 2 where id = $1',
    'update booking set timeline_head = sha256(timeline_head) where id = $1',
  ])('%s', async (statement) => {
    expect(await verifies(db, await tamper(statement))).toBe(false)
  })
})

test('a booking older than timelines starts one at its current state', async () => {
  const start = await confirmed()
  const client = await db.connect()
  await client.query('set session_replication_role = replica')
  await client.query('delete from timeline_entry where booking_id = $1', [start.bookingId])
  await client.query('update booking set timeline_length = 0, timeline_head = null where id = $1', [
    start.bookingId,
  ])
  await client.query('set session_replication_role = origin')
  client.release()
  expect(await timelineOf(db, start)).toMatchObject({ is_booked: true, head: null, entries: [] })
  const over = new Date(Date.parse(start.startsAt) + 24 * 3_600_000)
  await actWhenDue(db, start, stepDeps, over)
  const { entries } = await timelineOf(db, start)
  expect(entries).toMatchObject([{ number: 1, revision: 3, status: 'completed' }])
  expect(await verifies(db, start)).toBe(true)
})

test('a refused request has no entries, but its reason and time are known', async () => {
  const start = await requestDaysAhead(db)
  const at = new Date()
  const { answer } = await openBooking(db, { ...start, partySize: 500 }, at)
  const why = answer && 'refusal' in answer && answer.refusal.message
  expect(await timelineOf(db, start)).toMatchObject({
    entries: [],
    is_booked: false,
    refusal: why,
    refused_at: at.toISOString(),
  })
})
