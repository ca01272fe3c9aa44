import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'
import { load } from './import-load.ts'

let db: Pool
let drop: () => Promise<void>
let find: Search

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  const row = { category: 'bar', hours: '10:00-22:00', seats: 10 }
  const twins = [
    { ...row, id: 'one', name: 'Twin Lagoon Bar', latitude: -8.5069, longitude: 115.2625 },
    { ...row, id: 'two', name: 'Twin Lagoon Bar', latitude: -8.69, longitude: 115.17 },
  ]
  await load(db, JSON.stringify(twins), 'json')
  find = await openSearch(db)
})
afterAll(async () => {
  await db.end()
  await drop()
})

const BATHHOUSE = 'kelapa-bathhouse-ubud'

const spotOf = async (slug: string) => {
  const { rows } = await db.query('select id, latitude, longitude from venue where slug = $1', [
    slug,
  ])
  return rows[0]
}

const distances = (found: Awaited<ReturnType<Search>>) =>
  found.venues.map(({ distance_km: km = -1 }) => km)

/** Results are ordered by whole kilometres. */
function expectNearestFirst(all: readonly number[]) {
  for (const [index, km] of all.entries()) {
    expect(km).toBeGreaterThan(Math.max(0, ...all.slice(0, index)) - 1)
  }
}

test.each([
  ['dinner within 2 km of Kelapa Bathhouse', 2],
  ['restaurant within 2km from kelapa bathhouse for 2 tomorrow', 2],
  ['restoran dalam 2 km dari Kelapa Bathhouse', 2],
  ['restaurant within 1500 metres of Kelapa Bathhouse', 1.5],
])('%s: only what is in the circle, the nearest first', async (query, km) => {
  const found = await find(query)
  expect(found.interpretation).toMatchObject({
    category: 'restaurant',
    near: `Kelapa Bathhouse, within ${km} km`,
    widened: null,
  })
  expect(found.venues.length).toBeGreaterThan(0)
  expect(Math.max(...distances(found))).toBeLessThanOrEqual(km)
  expect(Math.min(...distances(found))).toBeGreaterThanOrEqual(0)
})

test('a circle leaves out exactly the venues beyond it', async () => {
  const all = await find('restaurant near Kelapa Bathhouse')
  const within = await find('restaurant within 3 km of Kelapa Bathhouse')
  const near = all.venues.filter(({ distance_km: km = 99 }) => km <= 3)
  expect(within.venues.map(({ slug }) => slug).toSorted()).toEqual(
    near.map(({ slug }) => slug).toSorted(),
  )
  expectNearestFirst(distances(all))
})

test('a landmark, and an area, have a radius too', async () => {
  const temple = await find('restaurant within 5 km of Uluwatu Temple')
  expect(temple.interpretation.near).toBe('Uluwatu Temple, within 5 km')
  expect(Math.max(...distances(temple))).toBeLessThanOrEqual(5)
  const ubud = await find('spa within 3 km of Ubud')
  expect(ubud.interpretation.near).toBe('Ubud, within 3 km')
  expect(Math.max(...distances(ubud))).toBeLessThanOrEqual(3)
  const near = await find('restaurant near Uluwatu Temple')
  expect(near.venues.every(({ distance_km }) => distance_km !== undefined)).toBe(true)
})

test('`near` takes a venue by slug, id and name, coordinates, a landmark and a place', async () => {
  const { id, latitude, longitude } = await spotOf(BATHHOUSE)
  const point = `${latitude}, ${longitude}`
  const wanted = await find('restaurant', { near: BATHHOUSE, radius_km: 3 })
  expect(wanted.venues.length).toBeGreaterThan(0)
  for (const near of [id, 'Kelapa Bathhouse', point]) {
    const found = await find('restaurant', { near, radius_km: 3 })
    expect(found.venues.map(({ slug }) => slug)).toEqual(wanted.venues.map(({ slug }) => slug))
    expect(distances(found)).toEqual(distances(wanted))
  }
  const temple = await find('restaurant', { near: 'Uluwatu Temple' })
  expect(temple.interpretation.near).toBe('Uluwatu Temple')
  const canggu = await find('restaurant', { near: 'Canggu', radius_km: 2 })
  expect(canggu.interpretation.near).toBe('Canggu, within 2 km')
})

test('the venue that is searched near is not a result', async () => {
  const found = await find('spa near Kelapa Bathhouse')
  expect(found.venues.map(({ slug }) => slug)).not.toContain(BATHHOUSE)
  expect(found.interpretation).toMatchObject({ category: 'spa', near: 'Kelapa Bathhouse' })
})

test('an empty circle is widened, and the answer says so', async () => {
  const found = await find('gym within 0.1 km of Kelapa Bathhouse')
  expect(found.interpretation.widened).toMatch(/^No gym within 0.1 km of Kelapa Bathhouse: /)
  expect(found.venues.length).toBeGreaterThan(0)
  expectNearestFirst(distances(found))
})

test('namesakes are asked for, unless a place decides', async () => {
  const unclear = await find('restaurant near Twin Lagoon Bar')
  expect(unclear.interpretation.hint).toMatch(/^Which twin lagoon bar is meant\? .*Ubud/)
  const found = await find('restaurant near Twin Lagoon Bar in Ubud')
  expect(found.interpretation).toMatchObject({ near: 'Twin Lagoon Bar', hint: null })
  await expect(find('restaurant', { near: 'Twin Lagoon Bar' })).rejects.toMatchObject({
    data: { code: 'invalid_request' },
    message: expect.stringMatching(/twin-lagoon-bar-\w+ \(\w+\), twin-lagoon-bar/),
  })
})

test.each([
  ['115.2625, -8.5069', 'swapped'],
  ['Nowhere Bathhouse', 'expected a venue'],
])('near %s is refused with the reason', async (near, reason) => {
  await expect(find('restaurant', { near })).rejects.toMatchObject({
    data: { code: 'invalid_request' },
    message: expect.stringContaining(reason),
  })
})

test('a radius without anything to be near is refused', async () => {
  await expect(find('sushi', { radius_km: 2 })).rejects.toMatchObject({
    data: { code: 'invalid_request' },
  })
})

test('free slots keep the distance', async () => {
  const found = await find('restaurant', { near: BATHHOUSE, radius_km: 5, party_size: 2 })
  expect(found.venues.length).toBeGreaterThan(0)
  expect(Math.max(...distances(found))).toBeLessThanOrEqual(5)
  expect(Math.min(...distances(found))).toBeGreaterThanOrEqual(0)
})
