import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { continuePass } from '../../src/platform/database/continue-pass.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import type { PageOfIds } from '../../src/platform/process/work-through.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'

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

const { log } = readableLog()
const ids = Array.from({ length: 300 }, () => randomUUIDv7()).toSorted()

/** One pass over `ids`; its time runs out at the row `last`. */
async function pass(last?: string) {
  const helped: string[] = []
  const over = new AbortController()
  const work = {
    select: async ({ after, limit }: PageOfIds) =>
      ids.filter((id) => after === null || id > after).slice(0, limit),
    idOf: (id: string) => id,
    async help(id: string) {
      helped.push(id)
      if (id === last) over.abort()
    },
  }
  const { next } = await continuePass({ db, log }, 'bookings', work, over.signal)
  return { helped, next }
}

test('a pass that ran out of time is continued by the next one, and then starts anew', async () => {
  const first = await pass(ids[99])
  expect(first.next).toBe(first.helped.at(-1))
  expect(first.helped.length).toBeLessThan(ids.length)
  const second = await pass()
  expect(second.next).toBeNull()
  expect([...first.helped, ...second.helped].toSorted()).toEqual(ids)
  expect((await pass()).helped).toHaveLength(ids.length)
})
