import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { countAttempt } from '../../src/platform/database/throttle.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const at = new Date('2026-12-24T10:00:00Z')
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)

test('concurrent attempts are all counted', async () => {
  const counted = await Promise.all(
    Array.from({ length: 20 }, () => countAttempt(db, 'many', 60, at)),
  )
  const tries = counted.map(({ tries }) => tries).sort((a, b) => a - b)
  expect(tries).toEqual(Array.from({ length: 20 }, (_, place) => place + 1))
})

test('a window ends at the time set by its first attempt, then the count restarts', async () => {
  await countAttempt(db, 'window', 60, at)
  expect(await countAttempt(db, 'window', 60, later(59))).toEqual({ tries: 2, ends_at: later(60) })
  expect(await countAttempt(db, 'window', 60, later(60))).toEqual({ tries: 1, ends_at: later(120) })
})
