import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteConnector, upsertConnector } from '../../src/confirmation/store/connectors.ts'
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

const csv = (mode: string, name = 'Warung Sari') =>
  `id,name,category,latitude,longitude,hours,seats,confirm_mode
w1,${name},restaurant,-8.5069,115.2625,Mo-Su 10:00-22:00,10,${mode}`

const venue = async () => {
  const { rows } = await db.query(
    'select v.id, v.confirm_mode from venue v join venue_source s on s.venue_id = v.id',
  )
  return rows[0]
}

test('a connected venue stays connected, whatever a file says', async () => {
  await load(db, csv('auto'))
  const { id: venueId } = await venue()
  await upsertConnector(db, { venueId, url: 'https://example.com', secret: 'sealed' }, new Date())
  const again = await load(db, csv('auto', 'Warung Baru'))
  expect(again).toMatchObject({ updated: 1 })
  expect(again.lines).toEqual([
    'row 2 "Warung Baru": note: confirm_mode: stays http because the venue is connected; ' +
      '`npm run venues -- disconnect` ends that',
  ])
  expect(await load(db, csv('', 'Warung Baru'))).toMatchObject({ unchanged: 1, lines: [] })
  expect(await venue()).toMatchObject({ confirm_mode: 'http' })
  const exported = await dump(db, 'csv', 'test')
  expect(await load(db, exported)).toMatchObject({ unchanged: 1, lines: [] })
  await deleteConnector(db, venueId)
  expect(await load(db, csv('auto', 'Warung Baru'))).toMatchObject({ unchanged: 1, lines: [] })
})

test('a venue that a file wrongly marks as connected is reported', async () => {
  const { lines } = await load(db, csv('http'))
  expect(lines).toEqual([expect.stringContaining('until `npm run venues -- connect`')])
  expect(await load(db, csv('http'))).toMatchObject({ unchanged: 1, lines: [] })
})
