import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectServicesAt } from '../../src/availability/store/venue-services.ts'
import { setDeposit } from '../../src/commands/venue-deposits.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { rowsOf } from '../../src/venues/import/file-rows.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { collect, inParts, load } from './import-load.ts'

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

const header = 'id,name,category,latitude,longitude,hours,seats,is_demo'
const row = (id: string, isDemo = '') =>
  `${id},Bar ${id},bar,-8.65,115.13,Mo-Su 17:00-23:00,40,${isDemo}`
const clean = { new: 1, refused: 0, lines: [] }

test.each([
  ['TRUE', true],
  ['True', true],
  ['yes', true],
  ['Yes', true],
  ['Y', true],
  ['1', true],
  [' true ', true],
  ['FALSE', false],
  ['No', false],
  ['0', false],
])('the flag %j is %s', async (text, flag) => {
  const id = `flag ${text.trim()} ${text.length}`
  expect(await load(db, `${header}\n${row(id, text)}`)).toMatchObject(clean)
  const { rows } = await db.query('select is_demo from venue where name = $1', [`Bar ${id}`])
  expect(rows).toEqual([{ is_demo: flag }])
})

test.each([
  ['columns without a name or values', `${header},,\n${row('a1')},,`],
  ['a last row of commas', `${header}\n${row('a2')}\n,,,,,,,\n`],
  ['rows of blanks', `${header}\n , ,,,,,,\n${row('a3')}\n\n   \n`],
  ['a byte order mark and Windows line ends', `\ufeff${header}\r\n${row('a4')}\r\n`],
  ['names of columns in another case', `${header.toUpperCase()}\n${row('a5')}`],
  ['names of columns with spaces', `${header.replaceAll('_', ' ')}\n${row('a6')}`],
  [
    'another order',
    'seats,hours,longitude,latitude,category,name,id\n4,24/7,115.13,-8.65,bar,O,a7',
  ],
  ['a category in another case', `${header}\n${row('a8').replace(',bar,', ', Bar,')}`],
  ['a currency in another case', `${header},currency\n${row('a0')},idr`],
  ['semicolons', `${header}\n${row('a9')}`.replaceAll(',', ';')],
  ['tabs', `${header}\n${row('b1')}`.replaceAll(',', '\t')],
  ['a separator that is said', `sep=;\r\n${`${header}\n${row('b2')}`.replaceAll(',', ';')}`],
  [
    'semicolons and decimal commas',
    `${header}\n${row('b3')}`.replaceAll(',', ';').replaceAll('.', ','),
  ],
])('a file with %s loads', async (_, text) => {
  expect(await load(db, text)).toMatchObject(clean)
})

test('a value in a column without a name is refused', async () => {
  const { lines } = await load(db, `${header},\n${row('c1')},x`)
  expect(lines).toEqual([expect.stringContaining('has a value in column 9, which has no name')])
})

test('hours may have a line for each day', async () => {
  const days = '"Monday: Closed\r\nTuesday: 9:00\u202fAM – 5:00\u202fPM\nWednesday: 24 hours"'
  const { lines } = await load(db, `${header}\n${row('d1').replace('Mo-Su 17:00-23:00', days)}`)
  expect(lines).toEqual(['row 2 "Bar d1": note: hours: read as Tu 09:00-17:00; We 00:00-24:00'])
})

test('semicolons may be in cells', async () => {
  const text = 'id;name;category;latitude;longitude;tags\nc2;"One; two";bar;-8,65;115,13;"a;b"\n'
  const [read] = await collect(rowsOf(inParts(text, 3), 'csv'))
  expect(read).toMatchObject({ value: { name: 'One; two', latitude: -8.65, tags: ['a', 'b'] } })
})

test.each([
  ['seats', 'many', 'seats: must be a number, in digits'],
  ['is_demo', 'perhaps', 'is_demo: expected boolean'],
  ['category', 'hotel', 'category: expected one of "restaurant"|"bar"|"gym"|"spa"'],
])('%s "%s" is refused: %s', async (column, value, text) => {
  const names = header.split(',')
  const cells = row('c3', 'no').split(',')
  cells[names.indexOf(column)] = value
  const { lines } = await load(db, `${header}\n${cells.join(',')}`)
  expect(lines).toEqual([
    `row 2 "Bar c3": refused: ${text}, received string`.replace(/(digits|"spa").*/, '$1'),
  ])
})

test('300 services, and a number beyond its limits, are refused in words', async () => {
  const venue = { id: 's1', name: 'Many', category: 'spa', latitude: -8.65, longitude: 115.13 }
  const service = { name: 'Massage', strategy: 'pooled', hours: '10:00-20:00', places: 0 }
  const services = Array.from({ length: 300 }, (_, nth) => ({ ...service, name: `No ${nth}` }))
  const text = JSON.stringify([{ ...venue, services, price_level: 7 }])
  const { lines } = await load(db, text, 'json')
  expect(lines).toEqual([
    expect.stringMatching(
      /^row 1 "Many": refused: price_level: must be at most 4; services: must /,
    ),
  ])
})

test('a field of JSON that is null is missing', async () => {
  const venue = { id: 'n1', name: 'Null', category: 'gym', latitude: -8.65, longitude: 115.13 }
  const text = JSON.stringify([
    { ...venue, area: null, description: null, hours: '24/7', seats: 9 },
  ])
  expect(await load(db, text, 'json')).toMatchObject(clean)
})

test('a GeoJSON feature without an id has the id among its tags', async () => {
  const properties = { '@id': 'node/1', name: 'Tagged', amenity: 'bar' }
  const geometry = { type: 'Point', coordinates: [115.13, -8.65] }
  const feature = { type: 'Feature', id: null, geometry, properties }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  expect(await load(db, text, 'geojson')).toMatchObject({ new: 1, refused: 0 })
  const wrong = JSON.stringify({ type: 'FeatureCollection', features: [{ ...feature, id: {} }] })
  const { lines } = await load(db, wrong, 'geojson')
  expect(lines).toEqual([expect.stringContaining('is not a GeoJSON feature: id: ')])
})

test.each(['1.000', '1,000', '1 000', '40.0'])(
  '%j seats are refused, never guessed',
  async (text) => {
    const file = `${header}\n${row(`seats ${text.length}`)}`.replaceAll(',', ';')
    const { lines, ...counts } = await load(db, file.replace(';40;', `;${text};`))
    expect(counts).toMatchObject({ new: 0, refused: 1 })
    expect(lines[0]).toContain('seats')
  },
)

test('a deposit that a command has set stays when a file that names none is imported', async () => {
  const file = `${header}\n${row('deposit')}`
  expect(await load(db, file)).toMatchObject(clean)
  const { rows } = await db.query("select id, slug from venue where name = 'Bar deposit'")
  const [venue] = rows as { id: string; slug: string }[]
  if (!venue) throw new Error('no venue')
  const depositsOf = async () => {
    const [one] = await selectServicesAt(db, venue.id, '2027-01-12T18:00:00')
    return one?.rules.deposits
  }
  const rule = { kind: 'deposit', amount_minor: 5_000_000, per: 'guest', party_min: 6 } as const
  await setDeposit(db, venue.slug, rule, new Date())
  expect(await load(db, file)).toMatchObject({ updated: 0, unchanged: 1 })
  expect(await load(db, file.replace('23:00', '22:00'))).toMatchObject({ updated: 1 })
  expect(await depositsOf()).toMatchObject([rule])
})
