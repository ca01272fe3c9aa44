import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dueGuestDetails } from '../../src/bookings/store/guests.ts'
import { erasePast } from '../../src/platform/database/erase-through.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase('empty')
})

afterEach(() => database.drop())

test('migrating a second time changes nothing', async () => {
  expect(await migrate(database.url)).toContain('0001_network')
  expect(await migrate(database.url)).toEqual([])
})

test('concurrent migrations run each migration once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
  expect(runs.filter((names) => names.length > 0)).toHaveLength(1)
})

const listIndexes = [
  'booking_by_slot',
  'booking_by_status',
  'delivery_by_time',
  'delivery_by_type',
  'request_unbooked',
]

/** A database with the migrations before this number. */
async function openBefore(number: string) {
  const names = await readdir('src/platform/database/migrations')
  await migrate(database.url, names.filter((name) => name < number).length)
  return openPool(database.url, 4, () => {})
}

/** A database whose list indexes are not built yet. */
const openBeforeLists = () => openBefore('0018')

const validIndexes = async (db: Awaited<ReturnType<typeof openBeforeLists>>) => {
  const { rows } = await db.query(
    `select indexrelid::regclass::text as name from pg_index
     where indisvalid and indexrelid::regclass::text = any($1) order by 1`,
    [listIndexes],
  )
  return rows.map(({ name }) => name)
}

test('bookings are written while indexes are built', async () => {
  const db = await openBeforeLists()
  const writer = await db.connect()
  await writer.query('begin; lock table booking in row exclusive mode')
  const migrating = migrate(database.url)
  await untilWaiting(db, 1)
  await db.query('begin; lock table booking, request, delivery in row exclusive mode nowait; end')
  await writer.query('commit')
  writer.release()
  expect(await migrating).toContain('0018_lists')
  expect(await validIndexes(db)).toEqual(listIndexes)
  await db.end()
})

test('invalid indexes are rebuilt, and valid ones are kept', async () => {
  const db = await openBeforeLists()
  const writer = await db.connect()
  const builder = await db.connect()
  await builder.query(
    'create index booking_by_slot on booking (account_id, slot_time) include (id)',
  )
  await writer.query('begin; lock table booking in row exclusive mode')
  await builder.query(`set statement_timeout = '200ms'`)
  const build =
    'create index concurrently booking_by_status on booking (account_id, status, id desc)'
  await expect(builder.query(build)).rejects.toThrow('statement timeout')
  builder.release(true)
  await writer.query('commit')
  writer.release()
  expect(await validIndexes(db)).toEqual(['booking_by_slot'])
  await migrate(database.url)
  expect(await validIndexes(db)).toEqual(listIndexes)
  await db.end()
})

test('a migration that does not get its lock fails, and runs when retried', async () => {
  const db = await openBeforeLists()
  const holder = await db.connect()
  await holder.query('begin; lock table venue_added in access exclusive mode')
  await expect(migrate(database.url)).rejects.toThrow('lock timeout')
  await holder.query('commit')
  holder.release()
  expect(await migrate(database.url)).toContain('0019_venues_added')
  await db.end()
})

test('a process of the previous release starts on the migrated database', async () => {
  await migrate(database.url)
  const db = openPool(database.url, 1, () => {})
  // What that release writes at each start, with the columns that it knows.
  const start = () =>
    db.query(
      `insert into agent (name, description, capabilities, card_url, is_public, created_at)
       values ('service', 'Books venues', '{booking}', 'http://127.0.0.1/card', true, now())
       on conflict (name) do update set description = excluded.description,
         capabilities = excluded.capabilities, card_url = excluded.card_url`,
    )
  for (let times = 0; times < 2; times += 1) expect((await start()).rowCount).toBe(1)
  await db.end()
})

test('keys from before booking had a scope can still book', async () => {
  const db = await openBefore('0028')
  const { rows } = await db.query(
    `insert into account (id, name, tier, created_at)
     values (gen_random_uuid(), 'test', 'pro', now()) returning id`,
  )
  for (const [name, scopes] of [
    ['none', []],
    ['some', ['webhooks', 'usage']],
  ] as const) {
    await db.query(
      `insert into api_key (id, account_id, name, hash, hint, scopes, created_at)
       values (gen_random_uuid(), $1, $2::text, sha256($2::text::bytea), 'abcd', $3, now())`,
      [rows[0].id, name, scopes],
    )
  }
  await migrate(database.url)
  const migrated = await db.query('select name, scopes from api_key order by name')
  expect(migrated.rows).toEqual([
    { name: 'none', scopes: ['bookings'] },
    { name: 'some', scopes: ['bookings', 'webhooks', 'usage'] },
  ])
  await db.end()
})

test('requests from before keep nothing of guests whose details were erased', async () => {
  const db = await openBefore('0030')
  await db.query(
    `insert into area (slug, name, aliases, city, country, timezone, currency, latitude, longitude)
     values ('ubud', 'Ubud', '{}', 'Ubud', 'ID', 'Asia/Makassar', 'IDR', -8.5, 115.26)`,
  )
  const { rows } = await db.query(
    `with v as (
       insert into venue (id, slug, name, category, area_slug, description, tags, price_level,
         latitude, longitude, confirm_mode, is_demo, document, created_at)
       values (gen_random_uuid(), 'v', 'V', 'spa', 'ubud', '', '{}', 1, -8.5, 115.26, 'auto', true,
         '', now()) returning id
     ), a as (
       insert into account (id, name, tier, created_at)
       values (gen_random_uuid(), 'test', 'pro', now()) returning id
     )
     insert into request (booking_id, account_id, operation, body_hash, door, guest_ref, venue_id,
       slot_time, party_size, created_at)
     select gen_random_uuid(), a.id, 'confirm', sha256('body'), 'rest', ref, v.id,
       now() + days * interval '1 day', 2, now()
     from v, a, (values ('old', -100), (null, -101), ('young', -80), (null, -81)) r (ref, days)
     returning booking_id`,
  )
  expect(rows).toHaveLength(4)
  expect(await migrate(database.url)).toContain('0030_guest_digests')
  const deps = { db, log: createLog('silent') }
  const erase = async (at: Date) => (await erasePast(deps, dueGuestDetails(at), 10)).pass.done
  expect(await erase(new Date())).toBe(2)
  const kept = await db.query(
    `select guest_ref, body_hash = '' as is_erased from request order by slot_time desc`,
  )
  expect(kept.rows).toEqual([
    { guest_ref: 'young', is_erased: false },
    { guest_ref: null, is_erased: false },
    { guest_ref: null, is_erased: true },
    { guest_ref: null, is_erased: true },
  ])
  expect(await erase(new Date(Date.now() + 30 * 86_400_000))).toBe(1)
  await db.end()
})
