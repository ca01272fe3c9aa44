import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { areaReader } from '../../src/venues/import/area-records.ts'
import { type Format, rowsOf } from '../../src/venues/import/file-rows.ts'
import { importAreas } from '../../src/venues/import/import-areas.ts'
import { sayTo } from '../../src/venues/import/report.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch } from '../support/search.ts'
import { load } from './import-load.ts'

let db: Pool
let drop: () => Promise<void>

const venue = (id: string, latitude: number, longitude: number) => ({
  id,
  name: `Table ${id}`,
  category: 'restaurant',
  latitude,
  longitude,
  hours: '10:00-22:00',
  seats: 10,
})

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  const rows = [venue('clock', 19.907, 99.83), venue('airport', 19.955, 99.88)]
  expect(await load(db, JSON.stringify(rows), 'json')).toMatchObject({ new: 2, lines: [] })
})
afterAll(async () => {
  await db.end()
  await drop()
})

async function importText(text: string, format: Format) {
  const lines: string[] = []
  async function* chunks() {
    yield text
  }
  const counts = await importAreas(
    db,
    rowsOf(chunks(), format, areaReader),
    sayTo((line) => lines.push(line)),
  )
  return { ...counts, lines }
}

const areasOfVenues = async () => {
  const { rows } = await db.query(
    `select v.name, v.area_slug from venue v where v.name like 'Table %' order by v.name`,
  )
  return Object.fromEntries(rows.map(({ name, area_slug }) => [name, area_slug]))
}

const csv = `kind,name,aliases,latitude,longitude,radius_km
area,Clock Tower Quarter,Old Centre;หอนาฬิกา,19.907,99.831,2
landmark,Wat Rong Khun,White Temple;วัดร่องขุ่น,19.8243,99.7631,`

test('a finer area takes the venues around its centre, and is found by its names', async () => {
  expect(await areasOfVenues()).toEqual({
    'Table airport': 'chiang-rai',
    'Table clock': 'chiang-rai',
  })
  expect(await importText(csv, 'csv')).toEqual({
    areas: 1,
    landmarks: 1,
    moved: 1,
    refused: 0,
    lines: [],
  })
  expect(await areasOfVenues()).toEqual({
    'Table airport': 'chiang-rai',
    'Table clock': 'clock-tower-quarter',
  })
  const find = await openSearch(db)
  for (const name of ['Clock Tower Quarter', 'Old Centre', 'หอนาฬิกา']) {
    const { venues, interpretation } = await find(`restaurant in ${name}`)
    expect(venues.map((one) => one.name)).toEqual(['Table clock'])
    expect(interpretation.area).toBe('Clock Tower Quarter')
  }
  const town = await find('restaurant in Chiang Rai')
  expect(town.venues.map((one) => one.name).toSorted()).toEqual(['Table airport', 'Table clock'])
  const { venues, interpretation } = await find('restaurant near the White Temple')
  expect(interpretation.near).toBe('Wat Rong Khun')
  expect(venues[0]).toMatchObject({ name: 'Table clock', distance_km: expect.any(Number) })
})

test('the same file again changes nothing, and new venues go to the finer area', async () => {
  expect(await importText(csv, 'csv')).toMatchObject({ areas: 1, landmarks: 1, moved: 0 })
  await load(db, JSON.stringify([venue('market', 19.905, 99.835)]), 'json', { source: 'two' })
  expect(await areasOfVenues()).toMatchObject({ 'Table market': 'clock-tower-quarter' })
  const { rows } = await db.query(`select landmarks from area where landmarks::text like '%Rong%'`)
  expect(rows).toHaveLength(1)
  expect(rows[0].landmarks).toHaveLength(1)
})

test('a polygon of GeoJSON has its middle and reach', async () => {
  const ring = [
    [99.87, 19.945],
    [99.89, 19.945],
    [99.89, 19.965],
    [99.87, 19.965],
    [99.87, 19.945],
  ]
  const feature = {
    type: 'Feature',
    properties: { name: 'Ban Du', aliases: ['Airport Quarter'] },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
  expect(await importText(text, 'geojson')).toMatchObject({ areas: 1, moved: 1, lines: [] })
  const { rows } = await db.query(`select * from area where slug = 'ban-du'`)
  expect(rows[0]).toMatchObject({
    city: 'Chiang Rai',
    region: 'Chiang Rai',
    timezone: 'Asia/Bangkok',
    currency: 'THB',
    radius_km: 1.5,
  })
})

test.each([
  [{ name: 'Atlantis', latitude: -9.5, longitude: 110 }, 'is in the sea'],
  [{ name: 'Mitte', latitude: 13.405, longitude: 52.52 }, 'swapped, they would be in Berlin, DE'],
  [{ name: 'Pole', latitude: 91, longitude: 0 }, 'latitude: '],
  [{ name: 'Ubud', latitude: 52.52, longitude: 13.4 }, 'slug: ubud is another area'],
  [{ name: '漢', latitude: 52.52, longitude: 13.4 }, 'slug: is missing'],
  [{ latitude: 52.52, longitude: 13.4 }, 'name: is missing'],
  [{ kind: 'landmark', name: 'X', latitude: 71, longitude: 25.7 }, 'no area is near'],
])('%j is refused in one line', async (row, reason) => {
  const { lines, refused } = await importText(JSON.stringify([row]), 'json')
  expect(refused).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(reason)
})

test('an unknown column is refused, and named', async () => {
  await expect(importText('name,lat\nX,1', 'csv')).rejects.toThrow('"lat" is not a column')
})
