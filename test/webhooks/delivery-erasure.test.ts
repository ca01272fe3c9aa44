import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { eraseDeliveries } from '../../src/webhooks/steps/erase-deliveries.ts'
import { createDatabase } from '../support/database.ts'
import { insertEndpointRow, settle, standing, writeEvents } from '../support/deliveries.ts'

const log = createLog('silent')

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
let accountId: string

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
  accountId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'free', at: new Date() })
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
const count = async (table: string) =>
  (await db.query(`select count(*) as n from ${table}`)).rows[0].n

test('old settled deliveries are erased with their attempts; all else stays', async () => {
  const endpointId = await insertEndpointRow(db, accountId)
  await writeEvents(db, accountId, 4)
  await settle(db, endpointId, 'delivered', [1])
  await settle(db, endpointId, 'failed', [2, 3])
  await db.query(
    `update delivery set updated_at = now() + interval '20 days' where event_number = 3`,
  )
  expect(await eraseDeliveries({ db, log }, 30, inDays(29))).toMatchObject({ deliveries: 0 })
  expect(await eraseDeliveries({ db, log }, 30, inDays(31))).toMatchObject({
    deliveries: 2,
    hasMore: false,
  })
  expect(await standing(db, endpointId)).toEqual([
    [3, 'failed'],
    [4, 'pending'],
  ])
  expect(await count('attempt')).toBe(1)
  expect(await count('event')).toBe(4)
})

test('replays, challenges and deleted endpoints are erased when unreferenced', async () => {
  const endpointId = await insertEndpointRow(db, accountId)
  await writeEvents(db, accountId, 1)
  await settle(db, endpointId, 'delivered')
  const replayId = randomUUIDv7()
  await db.query(
    `insert into replay (id, endpoint_id, account_id, status, filter, cursor, until_number,
     per_second,
       next_at, total, created_at, updated_at)
     values ($1, $2, $3, 'completed', '{}', 1, 1, 1, now(), 1, now(), now())`,
    [replayId, endpointId, accountId],
  )
  await db.query('update delivery set replay_id = $1 where endpoint_id = $2', [
    replayId,
    endpointId,
  ])
  await db.query(
    `insert into attempt (id, endpoint_id, number, cause, status, started_at, url, signed_with)
     values (gen_random_uuid(), $1, 1, 'challenge', 'succeeded', now(), 'https://receiver.example',
       '{}')`,
    [endpointId],
  )
  await db.query('update endpoint set deleted_at = now() where id = $1', [endpointId])
  const before = await count('endpoint')
  expect(await eraseDeliveries({ db, log }, 30, inDays(31))).toMatchObject({
    deliveries: 1,
    challenges: 1,
    replays: 1,
    endpoints: 1,
  })
  expect(await count('replay')).toBe(0)
  expect(await count('endpoint')).toBe(before - 1)
})

test('a step erases a thousand rows and reports that more remain', async () => {
  const endpointId = await insertEndpointRow(db, accountId)
  await db.query(
    `with counter as (select last from event_counter where account_id = $1), more as (
       update event_counter set last = last + 1500 where account_id = $1
     ), written as (
       insert into event (account_id, number, id, type, data, created_at)
       select $1, last + n, gen_random_uuid(), 'fee.accrued', '{}', now()
       from counter, generate_series(1, 1500) n returning number
     )
     insert into delivery (id, endpoint_id, account_id, event_number, event_type, status,
       give_up_at,
       created_at, updated_at)
     select gen_random_uuid(), $2, $1, number, 'fee.accrued', 'discarded', now(), now(), now()
       from written`,
    [accountId, endpointId],
  )
  const erased = []
  for (let hasMore = true; hasMore; ) {
    const step = await eraseDeliveries({ db, log }, 30, inDays(60))
    erased.push(step.deliveries)
    hasMore = step.hasMore
  }
  expect(erased[0]).toBe(1000)
  expect(await standing(db, endpointId)).toEqual([])
})

test('erased_before never moves back', async () => {
  const known = async () =>
    (await db.query('select erased_before from delivery_erasure')).rows[0].erased_before
  const before = await known()
  await eraseDeliveries({ db, log }, 30, inDays(1))
  expect(await known()).toEqual(before)
})
