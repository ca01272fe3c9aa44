import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockVenue, updateRemoved } from '../../src/availability/store/venues.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { readConfig } from '../../src/config/config.ts'
import { prepareDatabase } from '../../src/local/database.ts'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { coverageHint } from '../../src/venues/search/coverage.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { runTyped } from '../support/operator.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { dump, load } from './import-load.ts'

let database: TestDatabase
let db: Pool
const config = readConfig({ SECRETS_KEY: newSealingKey() })
const run = (...typed: string[]) => runTyped(venueProgram, typed, { db, config })
const csv =
  'id,name,category,latitude,longitude,hours,seats\nx,X,spa,-8.65,115.13,Mo-Su 10:00-22:00,3\n'
const rowsIn = async (what: string) =>
  Number((await db.query(`select count(*) from ${what}`)).rows[0].count)

/** Empties what refers to venues, past the triggers that forbid it. */
const forgetVenues = (on: Pool) =>
  on.query(`set session_replication_role = replica; truncate venue cascade;
            set session_replication_role = origin`)

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 4, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

test('an export loads into an empty database, and is exported from there unchanged', async () => {
  await load(db, csv, 'csv', { source: 'mine' })
  const other = await createDatabase()
  const empty = openPool(other.url, 2, () => {})
  try {
    await forgetVenues(empty)
    for (const format of ['json', 'csv', 'geojson'] as const) {
      const first = await dump(db, format)
      const { lines, ...counts } = await load(empty, first, format)
      expect(counts).toMatchObject({ new: await rowsIn('venue where not is_test'), refused: 0 })
      expect(lines).toEqual([])
      expect(await dump(empty, format)).toBe(first)
      await forgetVenues(empty)
    }
  } finally {
    await empty.end()
    await other.drop()
  }
})

test('a booking that races with a removal waits for it and is refused', async () => {
  const start = await requestDaysAhead(db)
  const { opening } = await transaction(db, async (tx) => {
    await lockVenue(tx, start.venueSlug)
    const opening = openBooking(db, start, new Date()).catch((error: unknown) => error)
    await untilWaiting(db, 1)
    await updateRemoved(tx, start.venueId)
    return { opening }
  })
  expect(String(await opening)).toContain('test and live never meet')
  expect(await rowsIn('booking')).toBe(0)
  expect(await openBooking(db, start, new Date())).toMatchObject({
    answer: { refusal: { code: 'venue_removed' } },
  })
  await db.query('update venue set is_test = false where id = $1', [start.venueId])
})

test('a reset asks first, then empties the network and touches no account', async () => {
  await makeKey(db, 'pro')
  await run('connect', 'senja-table-ubud', '--url', 'https://booking.example/network')
  await run('contact', 'jepun-grill-ubud', '--notify-url', 'https://booking.example/notices')
  await run('link', 'jepun-grill-ubud')
  const [venues, tests] = [
    await rowsIn('venue where not is_test'),
    await rowsIn('venue where is_test'),
  ]
  const kept = await dump(db, 'json')
  await expect(run('reset')).rejects.toThrow(`reset would remove ${venues} venues`)
  expect(await dump(db, 'json')).toBe(kept)

  expect(await run('reset', '--yes')).toBe(`Removed ${venues} venues.`)
  expect(JSON.parse(await dump(db, 'json')).venues).toEqual([])
  for (const table of ['connector', 'venue_person', 'venue_link']) {
    expect([table, await rowsIn(table)]).toEqual([table, 0])
  }
  expect(await rowsIn('venue where is_test')).toBe(tests)
  const another = csv.replace('x,X', 'y,Y')
  const options = { source: 'mine', isDryRun: true }
  expect(await load(db, another, 'csv', options)).toMatchObject({ new: 1, leftOut: 0 })
  expect(await rowsIn('api_key')).toBe(1)
  await prepareDatabase(database.url)
  expect(JSON.parse(await dump(db, 'json')).venues).toEqual([])
  await load(db, kept, 'json')
  expect(await dump(db, 'json')).toBe(kept)
})

test('an export names towns that share their name as the other network did', async () => {
  const at = ['42.1015,-72.5898', '37.2090,-93.2923', '39.7817,-89.6501']
  const rows = at.map((point, nth) => `s${9 - nth},Diner ${nth},bar,${point},12:00-22:00,9`)
  const text = ['id,name,category,latitude,longitude,hours,seats', ...rows].join('\n')
  expect(await load(db, text, 'csv', { source: 'towns' })).toMatchObject({ new: 3, refused: 0 })
  const first = await dump(db, 'json', 'towns')
  const areas = JSON.parse(first).venues.map(({ area }: { area: string }) => area)
  expect(new Set(areas).size).toBe(3)
  await forgetVenues(db)
  await db.query(`delete from area where slug = any($1)`, [areas])
  expect(await load(db, first, 'json')).toMatchObject({ new: 3, refused: 0, lines: [] })
  expect(await dump(db, 'json', 'towns')).toBe(first)
})

test('an empty network says that it is empty', () => {
  const covered = { areas: [], kinds: [] }
  expect(coverageHint({ place: 'ubud', kinds: [], nearest: null, covered })).toBe(
    'The network has no venues yet.',
  )
})

test('a network started without demo venues has none', async () => {
  await forgetVenues(db)
  await prepareDatabase(database.url, readConfig({ DEMO: 'none' }).DEMO)
  expect(await rowsIn('venue')).toBe(0)
  await prepareDatabase(database.url)
  expect(await rowsIn('venue where is_demo')).toBeGreaterThan(100)
  expect(() => readConfig({ DEMO: 'no' })).toThrow('DEMO')
})
