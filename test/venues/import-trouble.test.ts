import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { rowsOf } from '../../src/venues/import/file-rows.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { collect, dump, load } from './import-load.ts'

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

const columns = {
  id: 'w1',
  name: 'Warung Sari',
  category: 'restaurant',
  latitude: '-8.5069',
  longitude: '115.2625',
  area: '',
  currency: '',
  description: '',
  tags: '',
  hours: 'Mo-Su 10:00-22:00',
  seats: '10',
  stay_minutes: '',
  services: '',
}
const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const csvWith = (changes: Partial<typeof columns>) =>
  `${Object.keys(columns).join(',')}\n${Object.values({ ...columns, ...changes })
    .map(cell)
    .join(',')}\n`

const treatments = (count: number) => {
  const one = { strategy: 'on_request', hours: 'Mo 10:00-12:00' }
  return JSON.stringify(Array.from({ length: count }, (_, n) => ({ ...one, name: `T ${n}` })))
}

test.each<[Partial<typeof columns>, string]>([
  [{ id: '' }, 'id: is missing'],
  [{ name: '' }, 'name: is missing'],
  [{ name: ' ' }, 'name: is empty'],
  [{ name: 'x'.repeat(201) }, 'name: is longer than 200 characters'],
  [{ name: "=cmd|' /C calc'!A0" }, 'name: begins with "=", which spreadsheets run as a formula'],
  [{ name: '+1+1' }, 'name: begins with "+"'],
  [{ name: '-1' }, 'name: begins with "-"'],
  [{ name: ' @SUM(A1)' }, 'name: begins with "@"'],
  [{ name: '\tTab' }, 'name: has a control character (U+0009); remove it'],
  [{ name: '\rReturn' }, 'name: has a control character (U+000D)'],
  [{ name: 'Nul\0' }, 'name: has a control character (U+0000)'],
  [{ name: '\u001b[31mRed' }, 'name: has a control character (U+001B)'],
  [{ description: '=HYPERLINK("https://example.com")' }, 'description: begins with "="'],
  [{ tags: 'fine;=1+1' }, 'tags.1: begins with "="'],
  [{ name: 'Caf\ufffd' }, 'name: has bytes that are not UTF-8; save the file as UTF-8'],
  [{ category: 'hotel' }, 'category: '],
  [
    { latitude: '115.2625', longitude: '-8.5069' },
    'latitude: 115.2625 is beyond 90; are latitude and longitude swapped?',
  ],
  [{ latitude: '-8,5' }, 'latitude: must be a number of degrees, as in -8.5069'],
  [{ latitude: '1e999' }, 'latitude: '],
  [{ longitude: '181' }, 'longitude: 181 is beyond 180'],
  [{ latitude: '0', longitude: '0' }, 'latitude, longitude: 0, 0 is in the sea'],
  [{ latitude: '-9.5', longitude: '114' }, 'latitude, longitude: -9.5, 114 is in the sea'],
  [{ latitude: '14.55', longitude: '-121.02' }, '14.55, -121.02 is in the sea'],
  [{ latitude: '13.405', longitude: '52.52' }, 'swapped, they would be in Berlin, DE'],
  [{ latitude: '24', longitude: '-5' }, 'or more than 50 km from any town'],
  [{ latitude: '48.8566', longitude: '2.3522', area: 'ubud' }, 'too far from Ubud, '],
  [
    { latitude: '13.7', longitude: '100.5', area: 'bali' },
    'area: "bali" is not known; near the venue are silom',
  ],
  [{ area: 'Ubudd' }, 'area: "Ubudd" is not known; near the venue are ubud (0.0 km away), '],
  [{ currency: 'USD' }, 'currency: is "USD", but Ubud has IDR'],
  [
    { hours: 'gibberish' },
    'hours: has "gibberish", which cannot be read; write them as in Mo-Fr 10:00-22:00',
  ],
  [{ hours: '10:00-12:00,'.repeat(100) }, 'hours: is longer than 1000 characters'],
  [{ hours: '"\u001b[31mRed"; Mo-Su' }, 'hours: has a control character; remove it'],
  [{ hours: 'sunrise-sunset' }, 'hours: follows the sun; use clock times'],
  [{ hours: 'Mo[1] 10:00-12:00' }, 'hours: is not the same every week'],
  [{ hours: 'Jan-Mar 10:00-20:00' }, 'hours: is not the same every week'],
  [{ hours: '10:00+' }, 'hours: has an open end or an unknown time'],
  [{ hours: 'Mo-Fr 10:00-20:00 "by appointment"' }, 'hours: has an open end or an unknown time'],
  [{ hours: 'PH 10:00-20:00' }, 'hours: says nothing about ordinary days'],
  [{ hours: '' }, 'hours: are missing; seats alone cannot be booked'],
  [{ seats: '0' }, 'seats: '],
  [{ seats: '2.5' }, 'seats: '],
  [{ seats: '9999' }, 'seats: 9999 would be over 500 tables or rooms'],
  [{ stay_minutes: '1440' }, 'a stay and its buffer must fit into a day'],
  [{ services: '[{' }, 'services: is not JSON'],
  [{ services: '[]' }, 'hours: belongs in services, which the venue has'],
  [{ hours: '', seats: '', services: treatments(300) }, 'services: must have at most 100 entries'],
])('%j is refused with a one-line reason', async (changes, text) => {
  const { refused, lines } = await load(db, csvWith(changes))
  expect(refused).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^row 2(?: ".*")?: refused: /)
  expect(lines[0]).toContain(text)
  expect(lines[0]).not.toMatch(/\p{Cc}/u)
})

test.each<[Partial<typeof columns>, string]>([
  [{ id: 'n1', hours: 'Mo-Sa 10:00-22:00; PH off' }, 'public and school holidays are ignored'],
  [{ id: 'n4', hours: 'always' }, 'hours: read as Mo-Su 00:00-24:00'],
  [{ id: 'n2', seats: '' }, 'seats: not given, 20 assumed'],
  [{ id: 'n3', hours: '', seats: '' }, 'hours: not given, so nothing new can be booked'],
])('%j is loaded with a remark', async (changes, text) => {
  const { refused, lines } = await load(db, csvWith(changes), 'csv', { isDryRun: true })
  expect(refused).toBe(0)
  expect(lines).toEqual([expect.stringContaining(text)])
})

test('a description may use the line endings of any platform', async () => {
  const name = 'Lines'
  await load(db, csvWith({ id: 'lines', name, description: 'one\r\ntwo\nthree\rfour' }))
  const { rows } = await db.query('select description from venue where name = $1', [name])
  expect(rows).toEqual([{ description: 'one\ntwo\nthree\nfour' }])
})

test('markup stays plain text', async () => {
  const name = '<b>Bold</b> & Co'
  expect(await load(db, csvWith({ id: 'html', name }))).toMatchObject({ new: 1, lines: [] })
  const { rows } = await db.query('select slug from venue where name = $1', [name])
  expect(rows).toEqual([{ slug: 'b-bold-b-co-ubud' }])
})

const good = (id: string) => csvWith({ id, name: `Good ${id}` }).split('\n')[1] ?? ''
const header = csvWith({}).split('\n')[0]

test('a duplicate id is refused the second time, naming the first row', async () => {
  const { lines, ...counts } = await load(db, [header, good('a'), good('b'), good('a')].join('\n'))
  expect(counts).toMatchObject({ new: 2, refused: 1 })
  expect(lines).toEqual([
    'row 4 "Good a": refused: id: a is already in row 2; every venue needs its own id',
  ])
})

test('a row with extra, a million or endless columns is refused alone', async () => {
  const rows = [
    header,
    `${good('c')},`,
    good('d'),
    ','.repeat(1_000_000),
    good('e'),
    `x,${'y'.repeat(1_000_000)}`,
    'few,columns',
    good('f'),
  ]
  const { lines, ...counts } = await load(db, rows.join('\n'))
  expect(counts).toMatchObject({ new: 3, refused: 4 })
  expect(lines).toEqual([
    'row 2: refused: has 14 columns, the first row 13',
    'row 4: refused: is longer than 262144 characters',
    'row 6: refused: is longer than 262144 characters',
    'row 7: refused: has 2 columns, the first row 13',
  ])
})

test('an unclosed quote affects only its own row', async () => {
  const open = good('g').replace('Good', '"Good')
  const { lines, ...counts } = await load(db, [header, open, good('h'), good('i')].join('\n'))
  expect(counts).toMatchObject({ new: 2, refused: 1 })
  expect(lines[0]).toBe(
    'row 2: refused: a quote is never closed; inside quotes, write a quote twice',
  )
})

const record = (id: string, more = {}) => ({
  id,
  name: `JSON ${id}`,
  category: 'gym',
  latitude: -8.5069,
  longitude: 115.2625,
  ...more,
})

test('a broken, huge or unexpected element of JSON is refused alone', async () => {
  const text = `{"venues": [
    ${JSON.stringify(record('j1'))},
    {"id": j2},
    {"id": "j3", "x": "${'y'.repeat(300_000)}"},
    ["j4"],
    ${JSON.stringify(record('j5', { hourz: '24/7' }))},
    ${JSON.stringify(record('j6', { latitude: '-8.5' }))},
    ${JSON.stringify(record('j7'))}
  ]}`
  const { lines, ...counts } = await load(db, text, 'json', { isDryRun: true })
  expect(counts).toMatchObject({ new: 2, refused: 5 })
  const refused = lines.filter((line) => line.includes('refused'))
  expect(refused.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
    'row 2 (line 3)',
    'row 3 (line 4)',
    'row 4 (line 5)',
    'row 5 (line 6) "JSON j5"',
    'row 6 (line 7) "JSON j6"',
  ])
  expect(lines.join('\n')).toContain('unknown: hourz')
})

test('a sole element that is too large is refused', async () => {
  const text = JSON.stringify([record('j8', { x: 'y'.repeat(300_000) })])
  for (const end of ['', ' '.repeat(2_000)]) {
    const { lines } = await load(db, text.replace(/]$/, `${end}]`), 'json')
    expect(lines).toEqual(['row 1: refused: is longer than 262144 characters'])
  }
})

test.each([
  ['', 'no array of venues was found'],
  [`{"${'\\"'.repeat(130_000)}`, 'no array of venues was found'],
  ['{"places": []}', 'no array of venues was found'],
  ['[{"id": "x"', 'the file ends within this element'],
])('JSON that is %.20j is refused with the reason', async (text, problem) => {
  const { refused, lines } = await load(db, text, 'json')
  expect(refused).toBe(1)
  expect(lines[0]).toContain(problem)
})

test.each([
  ['', 'The file is empty'],
  ['id,name\n', 'The first row lacks category, latitude, longitude'],
  ['id;name;category\n', 'The first row lacks latitude, longitude.'],
  ['id,name,colour\n', 'must name the columns, separated by commas, in UTF-8; "colour" is not one'],
  ['id,name,name,category,latitude,longitude\n', 'names the column name twice'],
])('a CSV file that begins with %j is not read at all', async (text, problem) => {
  await expect(load(db, text)).rejects.toThrow(problem)
})

/** Bytes of the heap in use, without garbage. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('an endless row is never held in memory', async () => {
  let held = 0
  async function* endless() {
    yield `${header}\n`
    const before = heapInUse()
    const chunk = 'x'.repeat(1024 * 1024)
    for (let count = 0; count < 300; count++) yield chunk
    held = heapInUse() - before
    yield `\n${good('z')}\n`
  }
  expect(await collect(rowsOf(endless(), 'csv'))).toHaveLength(2)
  expect(held).toBeLessThan(100 * 1024 * 1024)
})

test('data too long for a flat CSV column is exported as services', async () => {
  const hours = 'Mo-Su 10:00-22:00'
  const resources = Array.from({ length: 300 }, (_, index) => ({
    kind: 'table',
    name: `Table ${index + 1}`,
    party_max: (index % 2) + 1,
  }))
  const durations = [{ party_max: 2, minutes: 120 }]
  const service = { name: 'Tables', strategy: 'exclusive', hours, durations, resources }
  const venue = record('long', { category: 'restaurant', services: [service] })
  expect(await load(db, JSON.stringify([venue]), 'json', { source: 'long' })).toMatchObject({
    new: 1,
  })
  expect(await load(db, await dump(db, 'csv', 'long'))).toMatchObject({ unchanged: 1, lines: [] })
})
