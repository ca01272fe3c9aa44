import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { dump, load } from './import-load.ts'

const guide = readFileSync(new URL('../../docs/operate/availability.md', import.meta.url), 'utf8')
const documented = JSON.parse(guide.split('```json\n')[1]?.split('```')[0] ?? '')

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

const place = {
  name: 'Warung Gabung',
  category: 'restaurant',
  latitude: -8.507,
  longitude: 115.263,
}
const venue = (id: string, service: object) => ({ id, ...place, services: [service] })
const loadJson = (...venues: object[]) => load(db, JSON.stringify(venues), 'json')
const exportOf = async (id: string) =>
  JSON.parse(await dump(db, 'json', 'test')).venues.find((one: any) => one.id === id)

test('the documented tables join, and an export returns them unchanged', async () => {
  expect(await loadJson(venue('window', documented))).toMatchObject({ new: 1, lines: [] })
  const exported = await dump(db, 'json', 'test')
  expect(await load(db, exported, 'json')).toMatchObject({ unchanged: 1, updated: 0 })
  expect(await exportOf('window')).toMatchObject({
    services: [{ party_max: 12, requires: [{ max_joined: 3 }] }],
    resources: [{ name: '1' }, { joins: 'window' }, { joins: 'window' }, { joins: 'window' }],
  })
  expect(exported.match(/"joins"/g)).toHaveLength(3)
})

test('without limits two tables join, for as many as they seat', async () => {
  const { requires: _, party_max: _most, ...service } = documented
  expect(await loadJson(venue('pairs', service))).toMatchObject({ new: 1 })
  expect(await exportOf('pairs')).toMatchObject({
    services: [{ party_max: 8, requires: [{ kind: 'table', per: 'party', max_joined: 2 }] }],
  })
})

test('separating tables counts as an update', async () => {
  const resources = documented.resources.map(({ joins: _, ...table }: any) => table)
  const apart = venue('window', { ...documented, resources })
  expect(await loadJson(apart)).toMatchObject({ updated: 1 })
  const { resources: tables } = await exportOf('window')
  expect(tables.some((table: any) => 'joins' in table)).toBe(false)
})

test('if each guest takes a resource, nothing is joined', async () => {
  const requires = [{ kind: 'table', per: 'guest', max_joined: 2 }]
  const { lines } = await loadJson(venue('each', { ...documented, requires }))
  expect(lines[0]).toContain('max_joined is for parties')
})
