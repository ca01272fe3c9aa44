import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdPlaces, releaseHeldChange } from '../../src/availability/store/change-inventory.ts'
import {
  allocate,
  dropInventory,
  type InventoryClaim,
  releaseInventory,
  takeSeats,
} from '../../src/availability/store/inventory.ts'
import { type Db, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { eventually } from '../support/programs.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeEach(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 40)
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

const startsAt = new Date('2031-01-10T11:00:00Z')
const until = new Date('2031-01-10T13:00:00Z')
const table = [{ kind: 'table', per: 'party' } as const]
const therapists = [{ kind: 'therapist', per: 'guest' } as const]

/** An inventory claim at a service with this strategy, and one table left if it has tables. */
async function claimOn(strategy: string, partySize = 2): Promise<InventoryClaim> {
  const bookingId = randomUUIDv7()
  const { rows } = await db.query(
    `with offered as (
       select o.id, o.venue_id, o.rule_version from service o join venue v on v.id = o.venue_id
       where o.strategy = $2 and v.category in ('restaurant', 'gym') order by v.slug limit 1
     ), account as (
       insert into account (id, name, tier, created_at)
       values ('00000000-0000-4000-8000-000000000001', 'test', 'pro', now())
       on conflict (id) do update set name = excluded.name returning id
     ), request as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at)
       select $1, account.id, 'confirm', '', 'rest', venue_id, '2031-01-10T19:00', $3, now()
       from offered, account
     ), booking as (
       insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
         slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, created_at,
         updated_at)
       select $1, account.id, venue_id, offered.id, rule_version, 'held', 1, '2031-01-10T19:00',
         $4, $5,
         $3, $4, now(), now(), now()
       from offered, account
     )
     select id, venue_id from offered`,
    [bookingId, strategy, partySize, startsAt, until],
  )
  const serviceId = rows[0].id as string
  await db.query(
    `delete from resource r where $1 = any(can) and kind = 'table' and id <>
       (select id from resource where $1 = any(can) order by party_min, id limit 1)`,
    [serviceId],
  )
  const venueId = rows[0].venue_id as string
  const own = await db.query('select id from resource where $1 = any(can)', [serviceId])
  const therapistIds = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
  const resourceIds = [...own.rows.map(({ id }) => id), ...therapistIds]
  const claim = { bookingId, venueId, serviceId, startsAt, until, partySize, leads: {}, places: 0 }
  return { ...claim, resourceIds: strategy === 'pooled' ? [] : resourceIds }
}

/** Two transactions that both try before either commits; returns both results. */
async function collide(first: (tx: Db) => Promise<boolean>, second: (tx: Db) => Promise<boolean>) {
  let waiting: Promise<boolean> | undefined
  const one = await transaction(db, async (tx) => {
    const taken = await first(tx)
    waiting = transaction(db, second)
    await eventually('the second transaction to be blocked or done', async () => {
      const { rows } = await db.query(
        `select count(*)::int as blocked from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return (
        rows[0].blocked > 0 ||
        (await Promise.race([waiting, Promise.resolve('pending')])) !== 'pending'
      )
    })
    return taken
  })
  return [one, await waiting]
}

const addTherapists = ({ venueId }: InventoryClaim, count: number) =>
  db.query(
    `insert into resource (id, venue_id, kind, name, party_min, party_max)
     select ('00000000-0000-4000-8000-00000000000' || n)::uuid, $1, 'therapist', n, 1, 1
     from generate_series(1, $2) as n`,
    [venueId, count],
  )

const takeTherapist = (tx: Db, { bookingId, venueId }: InventoryClaim, n: number) =>
  tx.query(
    `insert into allocation (booking_id, venue_id, resource_id, during, active)
     select $1, $2, id, tstzrange($3, $4), true from resource
       where kind = 'therapist' and name = $5`,
    [bookingId, venueId, startsAt, until, String(n)],
  )

/** Runs `work` in a transaction that stays open until it is committed or rolled back on request. */
async function open(work: (tx: Db) => Promise<unknown>) {
  const worked = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const ended = transaction(db, async (tx) => {
    await work(tx)
    worked.resolve()
    await ending.promise
  })
  await worked.promise
  return {
    async commit() {
      ending.resolve()
      await ended
    },
    async rollback() {
      ending.reject(new Error('rolled back'))
      await expect(ended).rejects.toThrow('rolled back')
    },
  }
}

test('a table cannot be allocated twice: the second of two transactions is refused', async () => {
  const [a, b] = [await claimOn('exclusive'), await claimOn('exclusive')]
  expect(
    await collide(
      (tx) => allocate(tx, a, table),
      (tx) => allocate(tx, b, table),
    ),
  ).toEqual([true, false])
})

test('without the constraint, both of two transactions get the table', async () => {
  await db.query('alter table allocation drop constraint allocation_no_overlap')
  const [a, b] = [await claimOn('exclusive'), await claimOn('exclusive')]
  expect(
    await collide(
      (tx) => allocate(tx, a, table),
      (tx) => allocate(tx, b, table),
    ),
  ).toEqual([true, true])
})

test('30 concurrent bookings of one table: one allocation, no deadlock', async () => {
  const claims: InventoryClaim[] = []
  for (let n = 0; n < 30; n++) claims.push(await claimOn('exclusive'))
  const got = await Promise.all(
    claims.map((claim) => transaction(db, (tx) => allocate(tx, claim, table))),
  )
  expect(got.filter(Boolean)).toHaveLength(1)
})

test('a booking takes another therapist instead of waiting for a rival', async () => {
  const [rival, other] = [await claimOn('exclusive', 1), await claimOn('exclusive', 1)]
  await addTherapists(rival, 2)
  const rivals = await open((tx) => allocate(tx, rival, therapists))
  expect(await transaction(db, (tx) => allocate(tx, other, therapists))).toBe(true)
  await rivals.commit()
  const { rows } = await db.query(
    'select count(distinct resource_id)::int as taken from allocation where booking_id = any($1)',
    [[rival.bookingId, other.bookingId]],
  )
  expect(rows).toEqual([{ taken: 2 }])
})

/** A transaction in this database for which another one is waiting. */
async function awaited(): Promise<string | undefined> {
  const { rows } = await db.query(
    `select l.transactionid::text as id from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database()`,
  )
  return rows[0]?.id
}

test('a party that needs several therapists retries from scratch, avoiding deadlock', async () => {
  const [first, last, all, two] = [
    await claimOn('exclusive', 1),
    await claimOn('exclusive', 1),
    await claimOn('exclusive', 3),
    await claimOn('exclusive', 2),
  ] as const
  await addTherapists(first, 3)
  // `all` waits for the first therapist, gets the second, and waits for the third …
  const holdsLast = await open((tx) => takeTherapist(tx, last, 3))
  const holdsFirst = await open((tx) => takeTherapist(tx, first, 1))
  const wantsAll = transaction(db, (tx) => allocate(tx, all, therapists))
  await untilWaiting(db, 1)
  const before = await awaited()
  await holdsFirst.commit()
  await eventually('the wait for the third', async () => {
    const now = await awaited()
    return now !== undefined && now !== before
  })
  await transaction(db, (tx) => dropInventory(tx, first.bookingId, first))
  // … while `two` takes the first, which is free again, and waits for the second.
  const wantsTwo = transaction(db, (tx) => allocate(tx, two, therapists))
  await untilWaiting(db, 2)
  await holdsLast.rollback()
  expect(await Promise.all([wantsAll, wantsTwo])).toEqual([false, true])
})

test('a class never sells more places than it has', async () => {
  const claims: InventoryClaim[] = []
  for (let n = 0; n < 30; n++) claims.push(await claimOn('pooled', 2))
  const got = await Promise.all(
    claims.map((claim) => transaction(db, (tx) => takeSeats(tx, { ...claim, places: 9 }))),
  )
  expect(got.filter(Boolean)).toHaveLength(4)
  await expect(db.query('update slot_counter set used = cap + 1')).rejects.toThrow(
    'slot_counter_not_oversold',
  )
})

test('a released place can be taken again, and a second release changes nothing', async () => {
  const [a, b] = [await claimOn('exclusive'), await claimOn('exclusive')]
  expect(await transaction(db, (tx) => allocate(tx, a, table))).toBe(true)
  await transaction(db, (tx) => releaseInventory(tx, a.bookingId))
  await transaction(db, (tx) => releaseInventory(tx, a.bookingId))
  expect(await transaction(db, (tx) => allocate(tx, b, table))).toBe(true)

  const c = await claimOn('pooled', 2)
  expect(await transaction(db, (tx) => takeSeats(tx, { ...c, places: 2 }))).toBe(true)
  await transaction(db, (tx) => releaseInventory(tx, c.bookingId))
  await transaction(db, (tx) => releaseInventory(tx, c.bookingId))
  expect((await db.query('select used from slot_counter')).rows).toEqual([{ used: 0 }])
})

test('a class with reduced places sells no more than it has now', async () => {
  const claims = [await claimOn('pooled', 3), await claimOn('pooled', 3)]
  const [first, second] = claims as [InventoryClaim, InventoryClaim]
  expect(await transaction(db, (tx) => takeSeats(tx, { ...first, places: 9 }))).toBe(true)
  expect(await transaction(db, (tx) => takeSeats(tx, { ...second, places: 4 }))).toBe(false)
})

test('the end of a change locks the counters of both slots in a fixed order', async () => {
  const own = await claimOn('pooled')
  const later = { ...own, startsAt: until, until: new Date(until.getTime() + 3_600_000) }
  await transaction(db, (tx) => takeSeats(tx, { ...own, places: 10 }))
  await transaction(db, (tx) => holdPlaces(tx, { ...later, places: 10 }))
  const lock = (tx: Db, { serviceId, startsAt }: InventoryClaim) =>
    tx.query(
      'select from slot_counter where service_id = $1 and starts_at = $2 for update nowait',
      [serviceId, startsAt],
    )
  let ended: Promise<void> | undefined
  await transaction(db, async (tx) => {
    await lock(tx, own)
    ended = transaction(db, (other) => releaseHeldChange(other, own.bookingId))
    await untilWaiting(db, 1)
    await lock(tx, later)
  })
  await ended
})
