import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseHistory } from '../../src/bookings/steps/erase-history.ts'
import { writeLedger } from '../support/deliveries.ts'
import { readableLog } from '../support/lines.ts'
import { bearer, type Doors, type Holder, openDoors } from '../support/open-doors.ts'
import { makeTraffic } from '../support/traffic.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const DAYS = 400
const { log } = readableLog()
const erase = (isOver?: AbortSignal) =>
  eraseHistory({ db: doors.db, log }, DAYS, new Date(), isOver)

const read = async ({ key }: Holder, path: string): Promise<any> =>
  (await fetch(doors.url + path, { headers: bearer(key) })).json()

/** How many rows the account has in each of these tables. */
async function countsOf(accountId: string): Promise<Record<string, number>> {
  const { rows } = await doors.db.query(
    `with b as (select booking_id as id from request where account_id = $1)
     select (select count(*)::int from event where account_id = $1) as events,
       (select count(*)::int from request where account_id = $1) as requests,
       (select count(*)::int from booking where account_id = $1) as bookings,
       (select count(*)::int from command where booking_id in (select id from b)) as commands,
       (select count(*)::int from transition where booking_id in (select id from b)) as steps,
       (select count(*)::int from timeline_entry
        where booking_id in (select id from b)) as timeline,
       (select count(*)::int from fee_entry where account_id = $1) as fees,
       (select count(*)::int from slot_count where booking_id in (select id from b)) as takes`,
    [accountId],
  )
  return rows[0]
}

/** An account with a booking, its command and its places, and a refused request, all finished. */
async function openHistory(daysAgo: number): Promise<Holder & { bookingId: string }> {
  const { db } = doors
  const holder = await doors.openAccount('pro')
  const { accountId } = holder
  const { bookingId } = await makeTraffic(db, accountId)
  await db.query(
    `insert into command (id, booking_id, kind, input, door, created_at, answer)
     values ($1, $2, 'cancel', '{}', 'rest', now(), '{}')`,
    [randomUUIDv7(), bookingId],
  )
  await db.query(
    `with c as (
       insert into slot_counter (service_id, starts_at, cap, used)
       select service_id, now() - $2 * interval '1 day', 9, 2 from booking where id = $1
       returning service_id, starts_at
     )
     insert into slot_count (booking_id, service_id, starts_at, places, active)
     select $1, service_id, starts_at, 2, true from c on conflict do nothing`,
    [bookingId, daysAgo],
  )
  const refused = randomUUIDv7()
  await db.query(
    `insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
       party_size, answer, created_at)
     select $1, account_id, operation, '', door, venue_id, slot_time, party_size,
       '{"refusal": {"code": "slot_taken"}}', created_at from request where booking_id = $2`,
    [refused, bookingId],
  )
  await db.query(
    `insert into transition (booking_id, transition_id, result, at) values ($1, 'x', '{}', now())`,
    [refused],
  )
  await db.query(
    'delete from attempt where endpoint_id in (select id from endpoint where account_id = $1)',
    [accountId],
  )
  await db.query('delete from delivery where account_id = $1', [accountId])
  await age(accountId, daysAgo)
  return { ...holder, bookingId }
}

/** Ends the account's bookings this many days ago, and backdates everything else by as much. */
async function age(accountId: string, daysAgo: number): Promise<void> {
  const { db } = doors
  await db.query(
    `update booking set status = 'completed', next_action_at = null,
       starts_at = now() - $2 * interval '1 day' - interval '2 hours',
       ends_at = now() - $2 * interval '1 day' - interval '1 minute'
     where account_id = $1`,
    [accountId, daysAgo],
  )
  for (const table of ['event', 'request']) {
    await db.query(
      `update ${table} set created_at = now() - $2 * interval '1 day' - interval '1 minute'
       where account_id = $1`,
      [accountId, daysAgo],
    )
  }
}

test('old history is erased; bookings, timelines and fees stay and read the same', async () => {
  const old = await openHistory(DAYS)
  const young = await openHistory(DAYS - 1)
  const untouched = await countsOf(young.accountId)
  expect(untouched).toMatchObject({ requests: 2, bookings: 1, commands: 1, takes: 1 })
  const shown = async () => {
    const { signature, signed_at, ...told } = await read(old, `${path}/timeline`)
    return { told, booking: await read(old, path) }
  }
  const path = `/api/bookings/${old.bookingId}`
  const before = await shown()
  const { timeline, fees } = await countsOf(old.accountId)
  expect(timeline).toBeGreaterThan(0)
  expect(fees).toBe(1)

  expect(await erase()).toMatchObject({ failed: 0, next: null })

  const gone = { events: 0, commands: 0, steps: 0, takes: 0 }
  expect(await countsOf(old.accountId)).toEqual({
    ...gone,
    requests: 1,
    bookings: 1,
    timeline,
    fees,
  })
  expect(await shown()).toEqual(before)
  expect(before.booking.booking.id).toBe(old.bookingId)
  expect(await countsOf(young.accountId)).toEqual(untouched)
  const { rows } = await doors.db.query(
    `select count(*)::int as counters from slot_counter
     where starts_at < now() - $1 * interval '1 day'`,
    [DAYS],
  )
  expect(rows).toEqual([{ counters: 0 }])
  expect(await erase()).toMatchObject({ done: 0, failed: 0 })
})

test('the oldest events are erased first, so that the remaining numbers have no gaps', async () => {
  const owner = await doors.openAccount('pro')
  await writeLedger(doors.db, owner.accountId, 30)
  await doors.db.query(
    `update event set created_at = now() - interval '500 days'
     where account_id = $1 and number not in (11, 30)`,
    [owner.accountId],
  )
  await erase()
  const { events, last_number } = await read(owner, '/api/events?after=0&limit=100')
  expect(events.map(({ number }: { number: number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 11),
  )
  expect(last_number).toBe(30)
})

test('an event with a delivery stays, and its booking’s history with it', async () => {
  const { accountId, bookingId } = await openHistory(DAYS)
  const before = await countsOf(accountId)
  await doors.db.query(
    `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status,
       give_up_at, created_at, updated_at)
     select gen_random_uuid(), p.id, e.account_id, e.number, e.type, 'failed', now(), now(), now()
     from event e join endpoint p using (account_id) where e.booking_id = $1
     order by number limit 1`,
    [bookingId],
  )
  await erase()
  const { events, steps, takes } = await countsOf(accountId)
  expect({ events, takes }).toEqual({ events: before.events, takes: 1 })
  expect(steps).toBe((before.steps ?? 0) - 1)
})

test('a pass erases at most 10,000 rows of an account, and the next continues', async () => {
  const { accountId } = await doors.openAccount('pro')
  await writeLedger(doors.db, accountId, 15_000)
  await doors.db.query(
    `update event set created_at = now() - interval '500 days' where account_id = $1`,
    [accountId],
  )
  await erase()
  const { rows } = await doors.db.query(
    'select min(number)::int as first, count(*)::int as left from event where account_id = $1',
    [accountId],
  )
  expect(rows).toEqual([{ first: 10_001, left: 5_000 }])
  await erase()
  expect(await countsOf(accountId)).toMatchObject({ events: 0 })
})

test('a pass that ran out of time is continued where it ended', async () => {
  for (let n = 0; n < 30; n += 1) await doors.openAccount('free')
  const cut = await erase(AbortSignal.abort())
  expect(cut.next).not.toBeNull()
  const cursors = async () =>
    (await doors.db.query(`select step from sweep_cursor where step = 'history'`)).rows
  expect(await cursors()).toEqual([{ step: 'history' }])
  expect((await erase()).next).toBeNull()
  expect(await cursors()).toEqual([])
})
