import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import type { Format } from '../../src/venues/import/file-rows.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { dump, load } from './import-load.ts'

const guide = readFileSync(
  new URL('../../docs/operate/importing-venues.md', import.meta.url),
  'utf8',
)
const example = (format: Format) => guide.split(`\`\`\`${format}\n`)[1]?.split('```')[0] ?? ''

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

const imported = async (format: Format) => {
  const result = await load(db, example(format), format, { source: format })
  return { ...result, venues: JSON.parse(await dump(db, 'json', format)).venues }
}

test('the documented CSV creates four bookable venues', async () => {
  const { lines, venues, ...counts } = await imported('csv')
  expect(counts).toMatchObject({ new: 4, refused: 0 })
  expect(lines).toEqual([])
  expect(venues).toMatchObject([
    { id: 'bambu', area: 'ubud', services: [{ name: 'Tables' }], resources: { length: 6 } },
    { id: 'kuat', area: 'canggu', services: [{ strategy: 'pooled', places: 30 }] },
    { id: 'malam', area: 'seminyak', resources: { length: 9 } },
    { id: 'tenang', area: 'ubud', services: [{ name: 'Treatments' }], resources: { length: 4 } },
  ])
})

test('the documented JSON creates a venue with two services and one with defaults', async () => {
  const { venues, ...counts } = await imported('json')
  expect(counts).toMatchObject({ new: 2, refused: 0 })
  expect(venues).toMatchObject([
    { id: 'kecil', services: [{ lead_minutes: 60, grid_minutes: 30 }] },
    { id: 'teras', services: [{ name: 'Terrace' }, { name: 'Cooking class', places: 12 }] },
  ])
})

test('the documented GeoJSON creates venues from tags and from records', async () => {
  const { venues, lines, ...counts } = await imported('geojson')
  expect(counts).toMatchObject({ new: 3, refused: 0 })
  expect(venues).toMatchObject([
    {
      id: 'node/1001',
      category: 'restaurant',
      area: 'canggu',
      tags: ['coffee shop', 'breakfast', 'cafe', 'vegan'],
      resources: { length: 5 },
    },
    { id: 'own-1', category: 'spa', latitude: -8.691, resources: { length: 3 } },
    {
      id: 'way/1002',
      category: 'gym',
      tags: ['fitness centre', 'yoga'],
      latitude: -8.509,
      longitude: 115.261,
    },
  ])
  expect(lines).toEqual([
    'row 1 (line 2) "Kopi Pantai": note: hours: ' + 'public and school holidays are ignored',
    'row 2 (line 15) "Studio Ubud": note: seats: not given, 10 assumed',
  ])
})

const feature = (properties: object, more = {}) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: 'node/1',
        geometry: { type: 'Point', coordinates: [115.2625, -8.5069] },
        properties,
        ...more,
      },
    ],
  })

test.each([
  [{ name: 'Bank', amenity: 'bank' }, {}, 'has no tag of a venue: amenity=restaurant|cafe|bar|pub'],
  [{ name: 'Odd', amenity: 'constructor' }, {}, 'has no tag of a venue'],
  [{ amenity: 'bar' }, {}, 'name: is missing; add the tag name'],
  [{ name: 'Bar', amenity: 'bar' }, { id: undefined }, 'id: is missing'],
  [{ name: 'Bar', amenity: 'bar' }, { geometry: null }, 'geometry: has no coordinates'],
  [{ name: '=1+1', amenity: 'bar' }, {}, 'name: begins with "="'],
  [{ name: 'Bar', amenity: 'bar', opening_hours: 'dusk-02:00' }, {}, 'hours: follows the sun'],
])('a feature with %j and %j is refused: %s', async (properties, more, text) => {
  const { refused, lines } = await load(db, feature(properties, more), 'geojson')
  expect(refused).toBe(1)
  expect(lines[0]).toContain(text)
})

test.each([
  [{ amenity: 'pub' }, 'bar', ['pub']],
  [{ amenity: 'biergarten' }, 'bar', ['biergarten']],
  [
    { leisure: 'sports_centre', sport: 'swimming;tennis' },
    'gym',
    ['sports centre', 'swimming', 'tennis'],
  ],
  [{ sport: 'climbing' }, 'gym', ['climbing']],
  [{ shop: 'massage' }, 'spa', ['massage']],
  [
    { amenity: 'restaurant', cuisine: 'indonesian;sea_food' },
    'restaurant',
    ['indonesian', 'sea food'],
  ],
])('%j is a %s with the tags %j', async (tags, category, expected) => {
  const name = JSON.stringify(tags)
    .replace(/[{}":]/g, ' ')
    .trim()
  const source = `tags ${name}`
  await load(db, feature({ name, ...tags }), 'geojson', { source })
  expect(JSON.parse(await dump(db, 'json', source)).venues).toMatchObject([
    { name, category, tags: expected },
  ])
})
