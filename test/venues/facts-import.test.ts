import { afterAll, beforeAll, expect, test } from 'vitest'
import { factNames } from '../../src/base/venue-facts.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
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

const head =
  'id,name,category,latitude,longitude,street,locality,postcode,phone,website,menu_url,photos,' +
  'opening_hours,cuisine,tags,wheelchair,pets,smoking'
const csv = (...rows: string[]) => [head, ...rows].join('\n')
const sari =
  'p1,Warung Sari,restaurant,-8.5069,115.2625,"Jl. Raya Ubud 1, lantai 2",Ubud,80571,0361 975123,' +
  'sari.example,https://sari.example/menu,' +
  'https://sari.example/a.jpg Made Sari;https://sari.example/b.jpg,' +
  'Daily from ten to ten,balinese;seafood,halal;non smoking,Yes,no,'

const venueNamed = async (name: string) =>
  (await db.query('select * from venue where name = $1', [name])).rows[0]

const stored = {
  address: { street: 'Jl. Raya Ubud 1, lantai 2', locality: 'Ubud', postcode: '80571' },
  phone: '+62361975123',
  website: 'https://sari.example/',
  menu_url: 'https://sari.example/menu',
  photos: [
    { url: 'https://sari.example/a.jpg', credit: 'Made Sari' },
    { url: 'https://sari.example/b.jpg', credit: null },
  ],
  opening_hours: 'Daily from ten to ten',
  cuisine: ['balinese', 'seafood'],
  facts: { wheelchair: 'yes', pets: 'no', smoking: 'no', halal: 'yes' },
}

test('a CSV row has the place in columns; what tags say is known too', async () => {
  expect(await load(db, csv(sari))).toMatchObject({ new: 1, refused: 0 })
  expect(await venueNamed('Warung Sari')).toMatchObject(stored)
  expect(await load(db, csv(sari))).toMatchObject({ unchanged: 1 })
})

test.each(['csv', 'json', 'geojson'] as const)(
  'an export as %s is what import takes',
  async (format) => {
    const before = await venueNamed('Warung Sari')
    const text = await dump(db, format, 'test')
    expect(await load(db, text, format)).toMatchObject({ unchanged: 1, refused: 0, lines: [] })
    await db.query(
      'update venue set address = null, phone = null, facts = $1, photos = $2 where name = $3',
      ['{}', '[]', 'Warung Sari'],
    )
    expect(await load(db, text, format)).toMatchObject({ updated: 1, refused: 0 })
    expect(await venueNamed('Warung Sari')).toEqual(before)
  },
)

test('what a file leaves out is not known, and a fact can be withdrawn', async () => {
  const bare = 'p2,Warung Kosong,restaurant,-8.5069,115.2625,,,,,,,,,,,,,'
  expect(await load(db, csv(bare))).toMatchObject({ new: 1 })
  expect(await venueNamed('Warung Kosong')).toMatchObject({
    address: null,
    phone: null,
    website: null,
    photos: [],
    cuisine: [],
    facts: {},
  })
  expect(await load(db, csv(sari.replace('Yes,no,', 'unknown,no,')))).toMatchObject({ updated: 1 })
  expect((await venueNamed('Warung Sari')).facts).not.toHaveProperty('wheelchair')
})

test('each bad value has a line that says what is wrong', async () => {
  const bad = (column: string, value: string, id: string) => {
    const cells = head.split(',').map((name) => (name === column ? value : ''))
    const [, , , , , ...rest] = cells
    return `${id},Bad ${id},restaurant,-8.5069,115.2625,${rest.join(',')}`
  }
  const { lines, refused } = await load(
    db,
    csv(
      bad('phone', '0361-12', 'b1'),
      bad('website', 'javascript:alert(1)', 'b2'),
      bad('photos', 'data:text/html;base64', 'b3'),
      bad('wheelchair', 'perhaps', 'b4'),
      bad('street', 'https://evil.example', 'b5'),
      bad('menu_url', 'ask us', 'b6'),
      bad('postcode', '123456789012345678901', 'b7'),
    ),
  )
  expect(refused).toBe(7)
  expect(lines.map((line) => line.replace(/^.*refused: /, ''))).toEqual(
    [
      '"0361-12" is not a phone number of ID; write it with its country code, as in +62 …',
      'begins with "javascript:"; only http and https are allowed',
      'begins with "data:"; only http and https are allowed',
      'must be yes, no or unknown',
      'has a web address; write it as website',
      'is not a web address, as in https://example.com/menu',
      'is longer than 20 characters',
    ].map((problem) => expect.stringContaining(problem)),
  )
  expect(lines[0]).toContain('phone: ')
  expect(lines[3]).toContain('facts.wheelchair: ')
})

test('OpenStreetMap tags are read in the order and notation of the country', async () => {
  const features = [
    {
      type: 'Feature',
      id: 'node/1',
      geometry: { type: 'Point', coordinates: [103.845, 1.277] },
      properties: {
        amenity: 'restaurant',
        name: 'Nyonya Osm',
        opening_hours: 'Mo-Su 11:00-22:00',
        'addr:housenumber': '12',
        'addr:street': 'Craig Road',
        phone: '6123 4567',
        'diet:halal': 'yes',
        wheelchair: 'no',
      },
    },
  ]
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  expect(await load(db, text, 'geojson')).toMatchObject({ new: 1, refused: 0 })
  expect(await venueNamed('Nyonya Osm')).toMatchObject({
    address: { street: '12 Craig Road', locality: null, postcode: null },
    phone: '+6561234567',
    facts: { halal: 'yes', wheelchair: 'no' },
  })
})

test('the database itself refuses a phone, address or photo of another form', async () => {
  for (const set of [
    "phone = '0361 975123'",
    "website = 'javascript:alert(1)'",
    "menu_url = 'data:x'",
    "photos = '{}'",
    "facts = '[]'",
    'address = \'"Jl. Raya"\'',
  ]) {
    await expect(db.query(`update venue set ${set}`), set).rejects.toThrow(/check constraint/)
  }
})

test('each demo venue has an address, a number that nobody has, and some facts', async () => {
  const { rows } = await db.query('select * from venue where is_demo')
  expect(rows.length).toBeGreaterThan(200)
  for (const { address, phone, facts, slug } of rows) {
    expect(address?.street, slug).toBeTruthy()
    // A subscriber number never begins with 0.
    expect(phone, slug).toMatch(/^\+(62361|656?|603?|662|8428|85523|85671|632|951)0\d{6}$/)
    expect(Object.keys(facts).length, slug).toBeGreaterThan(1)
    expect(Object.keys(facts).length, slug).toBeLessThanOrEqual(factNames.length)
  }
})
