import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Db, openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import type { ReplayFilter } from '../../src/webhooks/store/replay-filter.ts'
import { selectOptionalReplayOf } from '../../src/webhooks/store/replay-view.ts'
import { countReplay, insertReplay } from '../../src/webhooks/store/replays.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { insertEndpointRow, writeLedger } from '../support/deliveries.ts'

const EVENTS = 10_050

let database: TestDatabase
let db: Pool
let accountId: string
let endpointId: string

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 3, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})
beforeEach(async () => {
  accountId = (await makeKey(db, 'free')).accountId
  await writeLedger(db, accountId, EVENTS)
  endpointId = await insertEndpointRow(db, accountId)
})

const everything: ReplayFilter = {
  asked: {},
  numbers: null,
  from: null,
  before: null,
  types: null,
  failedSince: null,
  neverAttempted: false,
}
const count = () =>
  countReplay(db, { accountId, endpointId }, everything, { after: 0, until: EVENTS })

/** Deliveries of the ledger's first events. */
const deliver = (many: number, status: 'pending' | 'delivered' | 'failed', replayId?: string) =>
  db.query(
    `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status, due_at,
     give_up_at,
       attempts, replay_id, created_at, updated_at)
     select gen_random_uuid(), $1, account_id, number, type, $3,
       case when $3 = 'pending' then now() end,
       now(), 1, $5, now(), now() from event where account_id = $2 and number <= $4`,
    [endpointId, accountId, status, many, replayId ?? null],
  )

test('counting stops at 10,000 events, but all are replayed', async () => {
  const all = { would_send: 10_000, in_flight: 0, never_attempted: 10_000 }
  expect(await count()).toEqual({ counts: all, first: 1, last: EVENTS })
  await deliver(10_020, 'pending')
  expect(await count()).toEqual({
    counts: { would_send: 0, in_flight: 10_000, never_attempted: 0 },
    first: 10_001,
    last: EVENTS,
  })
})

test('failures in a long ledger are found without reading the rest', async () => {
  await deliver(EVENTS, 'delivered')
  await db.query(
    `update delivery set status = 'failed' where endpoint_id = $1 and event_number in (7, 10007)`,
    [endpointId],
  )
  await transaction(db, async (tx) => {
    await tx.query('analyze event, delivery; set local plan_cache_mode to force_generic_plan')
    const before = await eventsRead(tx)
    const filter = { ...everything, failedSince: '2026-01-01T00:00:00.000Z' }
    const range = { after: 0, until: EVENTS }
    expect(await countReplay(tx, { accountId, endpointId }, filter, range)).toEqual({
      counts: { would_send: 2, in_flight: 0, never_attempted: 0 },
      first: 7,
      last: 10_007,
    })
    expect((await eventsRead(tx)) - before).toBeLessThan(100)
  })
})

/** The ledger rows that this transaction has read. */
async function eventsRead(tx: Db): Promise<number> {
  const { rows } = await tx.query(
    `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = 'event'`,
  )
  return rows[0].read
}

test('the outcomes of a long replay are counted up to 10,000 each', async () => {
  const id = randomUUIDv7()
  const range = { first: 1, last: EVENTS, perSecond: 1, total: EVENTS, at: new Date() }
  await insertReplay(db, { id, endpointId, filter: everything, ...range })
  await deliver(EVENTS, 'delivered', id)
  await db.query(
    `update delivery set status = 'failed' where endpoint_id = $1 and event_number <= 3`,
    [endpointId],
  )
  const { deliveries } = (await selectOptionalReplayOf(db, accountId, id)) ?? {}
  expect(deliveries).toEqual({ in_flight: 0, delivered: 10_000, not_delivered: 3 })
})
