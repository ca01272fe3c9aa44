import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { expireHeld } from '../../src/webhooks/sender/upkeep.ts'
import { discardHeld, type Holding, releaseHeld } from '../../src/webhooks/store/held-deliveries.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { insertEndpointRow, writeLedger } from '../support/deliveries.ts'

const log = createLog('silent')

const HELD = 2_300

let database: TestDatabase
let db: Pool
let endpointId: string

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** An endpoint with held deliveries that were enqueued a day ago, some already tried. */
beforeEach(async () => {
  const { accountId } = await makeKey(db, 'free')
  await writeLedger(db, accountId, HELD)
  endpointId = await insertEndpointRow(db, accountId, { status: 'paused' })
  await db.query(
    `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status, tries,
     due_at,
       give_up_at, created_at, updated_at)
     select gen_random_uuid(), $1, account_id, number, type, 'pending', number % 10,
       now() - interval '1 day',
       now() + interval '1 minute', now(), now() from event where account_id = $2`,
    [endpointId, accountId],
  )
})

const standing = async () => {
  const { rows } = await db.query(
    `select status, due_at = $2 as is_due, tries, count(*)::int from delivery
     where endpoint_id = $1 group by 1, 2, 3`,
    [endpointId, at],
  )
  return rows
}
const at = new Date()

const holding = (): Holding => ({ id: endpointId, status: 'paused', at })
const dies = async () => {
  throw new Error('the machine is gone')
}
const reopen = (tx: Pick<Pool, 'query'>) =>
  tx.query(`update endpoint set status = 'active', verified_at = now() where id = $1`, [endpointId])

test('held deliveries are released in steps on a full schedule, even after a crash', async () => {
  await expect(releaseHeld(db, holding(), dies)).rejects.toThrow('gone')
  expect(await standing()).toContainEqual({
    status: 'pending',
    is_due: true,
    tries: 0,
    count: 2_000,
  })
  expect(await releaseHeld(db, holding(), reopen)).toBe(HELD)
  expect(await standing()).toEqual([{ status: 'pending', is_due: true, tries: 0, count: HELD }])
})

test('the next discard finishes one that a crash interrupted, and does nothing else', async () => {
  await db.query(
    `update delivery set status = 'delivered', due_at = null
     where endpoint_id = $1 and event_number <= 10`,
    [endpointId],
  )
  await expect(discardHeld(db, holding(), dies)).rejects.toThrow('gone')
  expect(await discardHeld(db, holding(), reopen)).toBe(HELD - 2_010)
  const { rows } = await db.query(
    'select status, count(*)::int from delivery where endpoint_id = $1 group by 1 order by 1',
    [endpointId],
  )
  expect(rows).toEqual([
    { status: 'delivered', count: 10 },
    { status: 'discarded', count: HELD - 10 },
  ])
})

test('deliveries released at the moment when they would expire stay pending', async () => {
  await db.query(
    `update delivery set updated_at = now() - interval '31 days' where endpoint_id = $1`,
    [endpointId],
  )
  let expired: number | undefined
  const released = await releaseHeld(db, holding(), async (tx) => {
    await reopen(tx)
    expired = await expireHeld({ db, log }, 30, at)
  })
  expect([released, expired]).toEqual([HELD, 0])
  expect(await standing()).toEqual([{ status: 'pending', is_due: true, tries: 0, count: HELD }])
})

test('deliveries of a reopened endpoint are neither discarded nor released', async () => {
  const before = await standing()
  await reopen(db)
  let ended = 0
  const end = async () => {
    ended += 1
  }
  expect(await discardHeld(db, holding(), end)).toBe(0)
  expect(await releaseHeld(db, holding(), end)).toBe(0)
  expect(await standing()).toEqual(before)
  expect(ended).toBe(0)
})
