import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase('empty')
})

afterEach(() => database.drop())

test('migrating a second time changes nothing', async () => {
  expect(await migrate(database.url)).toContain('0001_network')
  expect(await migrate(database.url)).toEqual([])
})

test('processes that migrate at the same time run each migration once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
  expect(runs.filter((names) => names.length > 0)).toHaveLength(1)
})
