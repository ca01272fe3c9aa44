import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase('empty')
  db = openPool(database.url, 5, () => {})
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

test('a connection lost inside a transaction fails only the transaction', async () => {
  const work = transaction(db, async (tx) => {
    const { rows } = await tx.query('select pg_backend_pid() as pid')
    await db.query('select pg_terminate_backend($1)', [rows[0].pid])
    await tx.query('select 1')
  })
  await expect(work).rejects.toThrow()
  expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
