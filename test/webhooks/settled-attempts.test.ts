import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { batchSettings } from '../../src/webhooks/store/batches.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import {
  attemptsOf,
  deliveriesOf,
  makeEndpoint,
  putEvent,
  putEvents,
} from '../support/endpoints.ts'
import { storeSender } from '../support/sender-store.ts'

let database: TestDatabase
let db: Pool
const url = 'https://agent.example/hooks'

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

test('a response header that reads like an escaped NUL is stored unchanged', async () => {
  const sender = storeSender(db, () => ({
    status: 200,
    headers: { 'x-odd': '\\u0000', 'x-nul': 'a\0b' },
  }))
  const endpoint = await makeEndpoint(db, sender.sealer, { url })
  await putEvent(db, endpoint.accountId)
  await sender.batch(endpoint)
  expect(await attemptsOf(db, endpoint)).toMatchObject([
    { status: 'succeeded', response_headers: { 'x-odd': '\\u0000', 'x-nul': 'ab' } },
  ])
})

test('in a batch of results, one that cannot be stored does not block the others', async () => {
  const sender = storeSender(db, () => ({
    status: 200,
    headers: { 'x-half': sender.requests.length === 2 ? '\ud800' : 'whole' },
  }))
  const endpoint = await makeEndpoint(db, sender.sealer, { url })
  await putEvents(db, endpoint.accountId, 3)
  await sender.batch(endpoint)
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 3 })
  const attempts = await attemptsOf(db, endpoint)
  expect(attempts.map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
  const kept = attempts.map(({ response_body, http_status }) => [http_status, response_body])
  expect(kept.toSorted()).toEqual([
    [200, null],
    [200, 'said'],
    [200, 'said'],
  ])
})

test('tables that have grown since ANALYZE are not scanned sequentially', async () => {
  // A database of its own, because other tests' sessions report their scans seconds later.
  const fresh = await createDatabase()
  const own = openPool(fresh.url, 1, () => {}, undefined, { settings: batchSettings })
  const sender = storeSender(own, () => ({ status: 200, headers: {} }))
  const endpoint = await makeEndpoint(own, sender.sealer, { url })
  // PostgreSQL caches a plan from the sixth execution onwards.
  for (let time = 0; time < 8; time += 1) {
    await putEvent(own, endpoint.accountId)
    await sender.batch(endpoint)
    if (time === 1) await own.query('analyze attempt, delivery, event')
  }
  await putEvents(own, endpoint.accountId, 300)
  const before = await readsOf(own)
  await sender.batch(endpoint)
  expect(await readsOf(own)).toEqual(before)
  expect((await deliveriesOf(own, endpoint)).delivered).toBeGreaterThan(200)
  await own.end()
  await fresh.drop()
})

/** Sequential scans of these tables, across all sessions that have reported. */
async function readsOf(pool: Pool): Promise<Record<string, number>> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `select relname, seq_scan from pg_stat_user_tables
     where relname in ('attempt', 'delivery', 'event')`,
  )
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]))
}
