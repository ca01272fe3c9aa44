import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectServicesAt } from '../../src/availability/store/venue-services.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { rowsOf } from '../../src/venues/import/file-rows.ts'
import { importVenues } from '../../src/venues/import/import-venues.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { dump, load } from './import-load.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const head = 'id,name,category,latitude,longitude,hours,seats,tags,tables'
const csv = (...rows: string[]) => [head, ...rows].join('\n')
const warung = 'w1,Warung Sari,restaurant,-8.5069,115.2625,Mo-Su 10:00-22:00,10,warung;nasi campur,'

async function venue(name: string) {
  const { rows } = await db.query('select * from venue where name = $1', [name])
  expect(rows).toHaveLength(1)
  return rows[0]
}

const services = (venueId: string) => selectServicesAt(db, venueId, '2027-01-12T12:00:00')

test('a plain row creates a bookable venue in the nearest area', async () => {
  expect(await load(db, csv(warung))).toMatchObject({
    new: 1,
    updated: 0,
    unchanged: 0,
    refused: 0,
    towns: new Map([['Ubud (ID)', 1]]),
    lines: [],
  })
  const { id, ...row } = await venue('Warung Sari')
  expect(row).toMatchObject({
    slug: 'warung-sari-ubud',
    area_slug: 'ubud',
    confirm_mode: 'auto',
    is_demo: false,
    tags: ['warung', 'nasi campur'],
  })
  const [tables] = await services(id)
  expect(tables).toMatchObject({
    strategy: 'exclusive',
    resources: [
      { kind: 'table', party_min: 1, party_max: 2, ids: { length: 1 } },
      { kind: 'table', party_min: 1, party_max: 4, ids: { length: 2 } },
    ],
  })
})

test('importing the same file again changes nothing', async () => {
  const before = await dump(db, 'json', 'test')
  expect(await load(db, csv(warung))).toMatchObject({ new: 0, updated: 0, unchanged: 1 })
  expect(await dump(db, 'json', 'test')).toBe(before)
})

test('a changed row updates its venue with new rules, keeping its id and slug', async () => {
  const before = await venue('Warung Sari')
  const row = warung.replace('Warung Sari', 'Warung Baru').replace('22:00', '23:00')
  expect(await load(db, csv(row))).toMatchObject({ new: 0, updated: 1, unchanged: 0 })
  const after = await venue('Warung Baru')
  expect(after).toMatchObject({ id: before.id, slug: before.slug })
  const [tables] = await services(after.id)
  expect(tables).toMatchObject({ rules: { windows: { 0: { close: '23:00' } } } })
  const { rows } = await db.query(
    'select version from service_rules where service_id = $1 order by version',
    [tables?.id],
  )
  expect(rows.length).toBe(tables?.rule_version)
  await load(db, csv(warung))
})

test('tables missing from a file accept no bookings, and return when listed again', async () => {
  const { id } = await venue('Warung Sari')
  const small = warung.replace(',10,', ',4,')
  const { lines } = await load(db, csv(small))
  expect(lines).toEqual([
    'row 2 "Warung Sari": note: resources: 2 retired; bookings that have them stay',
  ])
  expect((await services(id))[0]?.resources).toEqual([
    { kind: 'table', party_min: 1, party_max: 4, ids: [expect.any(String)] },
  ])
  const { rows } = await db.query('select count(*) from resource where venue_id = $1', [id])
  expect(rows).toEqual([{ count: 3 }])
  expect(await load(db, csv(warung))).toMatchObject({ updated: 1 })
  expect((await services(id))[0]?.resources.reduce((sum, { ids }) => sum + ids.length, 0)).toBe(3)
})

test('a service missing from a file is withdrawn, and the others keep their order', async () => {
  const record = (...names: string[]) =>
    JSON.stringify([
      {
        id: 'o1',
        name: 'Three Rooms',
        category: 'spa',
        latitude: -8.5069,
        longitude: 115.2625,
        services: names.map((name) => ({
          name,
          strategy: 'pooled',
          hours: '10:00-20:00',
          places: 4,
        })),
      },
    ])
  await load(db, record('A', 'B', 'C'), 'json')
  const { id } = await venue('Three Rooms')
  const { lines } = await load(db, record('C', 'New', 'A'), 'json')
  expect(lines).toEqual(['row 1 "Three Rooms": note: B: withdrawn; its bookings stay'])
  const { rows } = await db.query(
    'select name from service where venue_id = $1 order by position',
    [id],
  )
  expect(rows.map(({ name }) => name)).toEqual(['C', 'New', 'A', 'B'])
  expect((await services(id)).map(({ rules }) => rules.windows.length)).toEqual([7, 7, 7, 0])
  expect(JSON.parse(await dump(db, 'json', 'test')).venues.at(0).services).toHaveLength(3)
})

test('taken places stay taken when a pool shrinks, and more are sold when it grows', async () => {
  const gym = (places: number) => csv(`g1,Gym,gym,-8.5069,115.2625,06:00-22:00,${places},,`)
  await load(db, gym(10))
  const [pool] = await services((await venue('Gym')).id)
  const slot = new Date(Date.now() + 86_400_000)
  await db.query(
    'insert into slot_counter (service_id, starts_at, cap, used) values ($1, $2, 10, 6)',
    [pool?.id, slot],
  )
  const cap = async () =>
    (await db.query('select cap, used from slot_counter where service_id = $1', [pool?.id])).rows
  await load(db, gym(4))
  expect(await cap()).toEqual([{ cap: 6, used: 6 }])
  await load(db, gym(20))
  expect(await cap()).toEqual([{ cap: 20, used: 6 }])
})

test('venues missing from the file stay and are counted', async () => {
  const one = warung.replace('Sari', 'Satu')
  const other = warung.replace('w1,Warung Sari', 'w2,Warung Dua')
  await load(db, csv(one, other), 'csv', { source: 'two' })
  expect(await load(db, csv(other), 'csv', { source: 'two' })).toMatchObject({
    unchanged: 1,
    leftOut: 1,
  })
})

test('venues with equal names get different slugs', async () => {
  const same = ['s1', 's2', 's3'].map((id) => warung.replace('w1,Warung Sari', `${id},Sama`))
  expect(await load(db, csv(...same))).toMatchObject({ new: 3 })
  const { rows } = await db.query(
    `select slug from venue where name = 'Sama' order by length(slug)`,
  )
  expect(new Set(rows.map(({ slug }) => slug)).size).toBe(3)
  expect(rows[0].slug).toBe('sama-ubud')
})

test('--strict loads nothing when a row is refused', async () => {
  const good = warung.replace('w1,Warung Sari', 'x1,Strict')
  const bad = good.replace('x1', 'x2').replace('-8.5069', '98')
  expect(await load(db, csv(good, bad), 'csv', { isStrict: true })).toMatchObject({
    new: 1,
    refused: 1,
  })
  expect((await db.query(`select from venue where name = 'Strict'`)).rowCount).toBe(0)
  expect(await load(db, csv(good), 'csv', { isStrict: true })).toMatchObject({ new: 1, refused: 0 })
  expect((await db.query(`select from venue where name = 'Strict'`)).rowCount).toBe(1)
})

test('a dry run reports the changes and makes none', async () => {
  const before = await dump(db, 'json')
  const rows = csv(warung.replace('10,', '12,'), warung.replace('w1', 'd9'))
  expect(await load(db, rows, 'csv', { isDryRun: true })).toMatchObject({ new: 1, updated: 1 })
  expect(await dump(db, 'json')).toBe(before)
})

test('a venue with bookings cannot move to another time zone', async () => {
  const moved = warung.replace('-8.5069,115.2625', '-6.2607,106.8135')
  const { lines, refused } = await load(db, csv(moved))
  expect(refused).toBe(1)
  expect(lines[0]).toContain('area: moves the venue from Asia/Makassar and IDR to Asia/Jakarta')
})

test.each(['json', 'csv', 'geojson'] as const)(
  'an export of %s imports without a change',
  async (format) => {
    const before = await dump(db, 'json')
    const exported = await dump(db, format)
    const { venues } = JSON.parse(before)
    const { lines: _, ...counts } = await load(db, exported, format, { source: 'elsewhere' })
    expect(counts).toMatchObject({ new: 0, updated: 0, unchanged: venues.length, refused: 0 })
    expect(await dump(db, format)).toBe(exported)
  },
)

test('an export into an empty network creates the same network', async () => {
  const other = await createDatabase()
  const copy = openPool(other.url, 2, () => {})
  try {
    // Invoice lines are never changed, not even by a cascade.
    const emptied = 'set local session_replication_role = replica; truncate venue cascade'
    await copy.query(`begin; ${emptied}; commit`)
    await load(copy, await dump(db, 'csv'), 'csv')
    expect(await dump(copy, 'json')).toBe(await dump(db, 'json'))
  } finally {
    await copy.end()
    await other.drop()
  }
})

test('a truncated file leaves nothing behind', async () => {
  const before = await dump(db, 'json')
  async function* breaking() {
    yield `${head}\n`
    for (let id = 0; id < 1_100; id++)
      yield `${warung.replace('w1,Warung Sari', `b${id},Broken`)}\n`
    throw new Error('the disk is gone')
  }
  const options = { source: 'test', isStrict: false, isDryRun: false, at: new Date() }
  await expect(
    importVenues(
      db,
      rowsOf(breaking(), 'csv'),
      options,
      () => {},
      () => {},
    ),
  ).rejects.toThrow('the disk is gone')
  expect(await dump(db, 'json')).toBe(before)
})

test('only one import runs at a time', async () => {
  let meanwhile: unknown
  async function* rows() {
    meanwhile = await load(db, csv(warung)).catch((error: Error) => error.message)
    yield csv(warung)
  }
  const options = { source: 'test', isStrict: false, isDryRun: false, at: new Date() }
  await importVenues(
    db,
    rowsOf(rows(), 'csv'),
    options,
    () => {},
    () => {},
  )
  expect(meanwhile).toBe('Another import is running. Try again when it has ended.')
})

test.each([
  ['warung-1', 'id: in the source network it must be a UUID'],
  ['0197A1F0-0000-7000-8000-000000000000', 'id: in the source network it must be a UUID'],
])('the id %s is refused in the network’s own source', async (id, text) => {
  const { lines } = await load(db, csv(warung.replace('w1', id)), 'csv', { source: 'network' })
  expect(lines[0]).toContain(text)
})

test('an imported venue cannot be addressed by another id', async () => {
  const { id } = await venue('Warung Sari')
  const { lines } = await load(db, csv(warung.replace('w1', id)), 'csv', { source: 'network' })
  expect(lines[0]).toContain('id: this venue is w1 of the source test')
})

test('a venue that was not imported can be changed by its exported id', async () => {
  const [exported] = JSON.parse(await dump(db, 'json', 'network')).venues
  const changed = { ...exported, description: 'New words.' }
  expect(await load(db, JSON.stringify([changed]), 'json')).toMatchObject({ updated: 1 })
  const stored = 'select description, is_demo from venue where id = $1'
  const { rows } = await db.query(stored, [exported.id])
  expect(rows).toEqual([{ description: 'New words.', is_demo: true }])
})

test('a confirm mode set elsewhere survives a reimport', async () => {
  await db.query(`update venue set confirm_mode = 'request' where name = 'Warung Sari'`)
  expect(await load(db, csv(warung))).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await venue('Warung Sari')).toMatchObject({ confirm_mode: 'request' })
})

test('hours of `off` close a venue, and hours reopen it', async () => {
  const closed = 'w1,Warung Sari,restaurant,-8.5069,115.2625,off,,warung;nasi campur,'
  expect(await load(db, csv(closed))).toMatchObject({ updated: 1, unchanged: 0 })
  expect(await load(db, csv(closed))).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await dump(db, 'csv', 'test')).toContain(',off,')
  expect(await load(db, csv(warung))).toMatchObject({ updated: 1 })
  const { id } = await venue('Warung Sari')
  expect((await services(id))[0]?.rules.windows).toHaveLength(7)
})

test('formula-like text gets an apostrophe in a CSV export', async () => {
  await db.query(`update venue set name = '=1+1' where name = 'Warung Sari'`)
  expect(await dump(db, 'csv', 'test')).toMatch(/^w1,'=1\+1,/m)
  expect(await dump(db, 'json', 'test')).toContain('"name":"=1+1"')
})
