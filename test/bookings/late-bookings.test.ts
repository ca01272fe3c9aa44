import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { deliverCommands, resumeLostBookings } from '../../src/bookings/steps/sweep.ts'
import { selectUncommandedBookings } from '../../src/bookings/store/booking-starts.ts'
import { dueGuestDetails } from '../../src/bookings/store/guests.ts'
import { selectUnappliedBookings } from '../../src/confirmation/store/booking-starts.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { erasePast } from '../../src/platform/database/continue-pass.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { oldKeys } from '../../src/platform/database/used-keys.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'

const FLOOD = 300

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const addCommands = (bookingId: string, count: number, minutesAgo: number) =>
  db.query(
    `insert into command (id, booking_id, kind, input, door, created_at)
     select gen_random_uuid(), $1, 'amend', '{}', 'rest', now() - make_interval(mins => $3)
     from generate_series(1, $2)`,
    [bookingId, count, minutesAgo],
  )
const addResponses = (bookingId: string, count: number, minutesAgo: number) =>
  db.query(
    `insert into venue_response (booking_id, id, revision, status, answered_at, received_at)
     select $1, n::text, n, 'confirmed', now(), now() - make_interval(mins => $3)
     from generate_series(1, $2::int) n`,
    [bookingId, count, minutesAgo],
  )

test.each([
  ['commands', addCommands, selectUncommandedBookings],
  ['responses', addResponses, selectUnappliedBookings],
] as const)('a booking with 300 %s takes one row of a page and hides none', async (...each) => {
  const [, add, select] = each
  const [flooded, other] = [await requestDaysAhead(db), await requestDaysAhead(db)]
  await add(flooded.bookingId, FLOOD, 10)
  await add(other.bookingId, 1, 5)
  const page = await select(db, new Date(), { after: null, limit: 2 })
  expect(page.map(({ id }) => id)).toEqual([flooded.bookingId, other.bookingId])
  const minutesLate = page.map(({ since }) => Math.round((Date.now() - since.getTime()) / 60_000))
  expect(minutesLate).toEqual([10, 5])
  const rest = await select(db, new Date(), { after: flooded.bookingId, limit: 2 })
  expect(rest.map(({ id }) => id)).toEqual([other.bookingId])
})

test('guest details and keys are erased in bounded statements', async () => {
  const { accountId, bookingId } = await requestDaysAhead(db)
  const guests = [bookingId, (await requestDaysAhead(db)).bookingId]
  await db.query(
    `insert into booking_guest (booking_id, name, erase_after)
     select unnest($1::uuid[]), 'Guest', now()`,
    [guests],
  )
  const deps = { db, log: createLog('silent') }
  const erased = await Promise.all(
    [1, 2, 3].map(() => erasePast(deps, dueGuestDetails(new Date(Date.now() + 1000)), 1)),
  )
  expect(erased.reduce((sum, { pass }) => sum + pass.done, 0)).toBe(2)

  await db.query(
    `insert into idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)
     select $1, n::text, 'command', $2, '', now() - interval '1 year' from generate_series(1, 3) n`,
    [accountId, randomUUIDv7()],
  )
  const before = new Date(Date.now() - 86_400_000)
  for (const done of [2, 1]) {
    expect((await erasePast(deps, oldKeys(before), 2)).pass).toMatchObject({ done, failed: 0 })
  }
})

test('an unreadable row is named, and the others are still resumed', async () => {
  const [broken, healthy] = [await requestDaysAhead(db), await requestDaysAhead(db)]
  for (const { bookingId } of [broken, healthy]) await addCommands(bookingId, 1, 5)
  await db.query(`update request set slot_time = '-infinity' where booking_id = $1`, [
    broken.bookingId,
  ])
  const helped: string[] = []
  const help = async ({ bookingId }: BookingStart) => {
    helped.push(bookingId)
    return true
  }
  const engine = { resume: help, announceCommands: help } as unknown as NetworkEngine
  const inAnHour = new Date(Date.now() + 3_600_000)
  for (const step of [resumeLostBookings, deliverCommands]) {
    helped.length = 0
    const pass = await step({ db, engine, log: createLog('silent') }, inAnHour)
    expect(pass.failures).toEqual([expect.stringContaining(broken.bookingId)])
    expect(helped).toContain(healthy.bookingId)
  }
})

test('an unreadable time is named, and other bookings are still resumed', async () => {
  const [broken, healthy] = [await requestDaysAhead(db), await requestDaysAhead(db)]
  for (const { bookingId } of [broken, healthy]) await addCommands(bookingId, 1, 5)
  await db.query(`update command set created_at = '-infinity' where booking_id = $1`, [
    broken.bookingId,
  ])
  const helped: string[] = []
  const announceCommands = async ({ bookingId }: BookingStart) => void helped.push(bookingId)
  const deps = {
    db,
    engine: { announceCommands } as unknown as NetworkEngine,
    log: createLog('silent'),
  }
  const pass = await deliverCommands(deps, new Date())
  expect(pass.failures).toContainEqual(expect.stringContaining(broken.bookingId))
  expect(helped).toContain(healthy.bookingId)
  expect(helped).not.toContain(broken.bookingId)
})
