import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { deaths } from '../../tools/proof/payments/chain.ts'
import { provePayments } from '../../tools/proof/payments/prove-payments.ts'
import { createDatabase } from '../support/database.ts'

// `npm run proof -- --payments 10000` does the same with 20 deaths at each place, 10,000 unknown
// settlements, and a database server that is killed.
const KILLS = 3
const RUNS = 150

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
let admin: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 10, () => {})
  admin = openPool(database.url, 1, () => {})
})
afterAll(async () => {
  await db.end()
  await admin.end()
  await database.drop()
})

/** Ends every session of the pool mid-operation, as a restart would. */
const endSessions = async () => {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
}

test('whatever dies, nothing is confirmed unpaid, paid in vain or charged twice', async () => {
  const options = { kills: KILLS, runs: RUNS, seed: 7, killDatabase: endSessions }
  const proof = await provePayments(db, options)
  expect(proof.violations).toEqual([])
  for (const death of deaths) expect([death, proof.kills[death]]).toEqual([death, KILLS])
  expect(proof.unknown).toBeGreaterThan(RUNS / 4)
})
