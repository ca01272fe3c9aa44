import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { type Db, openPool, type Pool } from '../../src/platform/database/sql.ts'
import type { ReplayFilter } from '../../src/webhooks/store/replay-filter.ts'
import { takeReplayPage } from '../../src/webhooks/store/replay-pages.ts'
import {
  beginReplay,
  countReplay,
  insertReplay,
  updateReplayStatus,
} from '../../src/webhooks/store/replays.ts'
import { createDatabase } from '../support/database.ts'
import {
  insertEndpointRow,
  settle,
  standing,
  writeEvents,
  writeLedger,
} from '../support/deliveries.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
let accountId: string

beforeEach(async () => {
  database = await createDatabase()
  db = openPool(database.url, 12, () => {})
  accountId = randomUUIDv7()
  await insertAccount(db, { id: accountId, name: 'test', tier: 'free', at: new Date() })
})
afterEach(async () => {
  await db.end()
  await database.drop()
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

const begun = new Date()
const after = (ms: number) => new Date(begun.getTime() + ms)

async function begin(endpointId: string, change: Partial<ReplayFilter> = {}, perSecond = 1000) {
  const filter = { ...everything, ...change }
  const of = { accountId, endpointId }
  const range = { after: 0, until: 1_000_000 }
  const { counts, first, last } = await countReplay(db, of, filter, range)
  const id = randomUUIDv7()
  const total = counts.would_send
  const made = { id, ...of, filter, first, last, perSecond, total, at: begun }
  expect(await insertReplay(db, made)).toBe(true)
  return { id, counts }
}

const replayRow = async (id: string) => {
  const { rows } = await db.query('select * from replay where id = $1', [id])
  return rows[0]
}

test('pages follow the rate, pause at 200 outstanding, and enqueue every event once', async () => {
  await writeLedger(db, accountId, 1_200)
  const endpointId = await insertEndpointRow(db, accountId)
  const { id, counts } = await begin(endpointId)
  expect(counts).toEqual({ would_send: 1_200, in_flight: 0, never_attempted: 1_200 })

  const first = await takeReplayPage(db, endpointId, begun)
  expect(first).toEqual({ queued: 500, nextAt: after(500) })
  const full = await takeReplayPage(db, endpointId, after(1000))
  expect(full).toEqual({ queued: 0, nextAt: after(1250) })
  await settle(db, endpointId, 'delivered')
  expect((await takeReplayPage(db, endpointId, after(2000))).queued).toBe(500)
  await settle(db, endpointId, 'delivered')
  expect(await takeReplayPage(db, endpointId, after(3000))).toEqual({ queued: 200, nextAt: null })
  expect(await takeReplayPage(db, endpointId, after(4000))).toEqual({ queued: 0, nextAt: null })
  expect(await replayRow(id)).toMatchObject({ status: 'completed', queued: 1_200, skipped: 0 })
  const numbers = (await standing(db, endpointId)).map(([number]) => number)
  expect(numbers).toEqual(Array.from({ length: 1_200 }, (_, n) => n + 1))
})

test('a rate of three per second is kept, and a gap over a second is not made up', async () => {
  await writeLedger(db, accountId, 100)
  const endpointId = await insertEndpointRow(db, accountId)
  await begin(endpointId, {}, 3)
  let queued = 0
  for (let ms = 0; ms <= 5_000; ms += 100) {
    queued += (await takeReplayPage(db, endpointId, after(ms))).queued
    expect(queued).toBeLessThanOrEqual(3 * (ms / 1000 + 2))
  }
  expect(queued).toBeGreaterThanOrEqual(15)
  const late = [3_600_000, 3_600_001, 3_600_002].map((ms) => after(ms))
  const burst: number[] = []
  for (const at of late) burst.push((await takeReplayPage(db, endpointId, at)).queued)
  expect(burst.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(6)
})

test('ten concurrent workers and a crash neither skip nor duplicate an event', async () => {
  await writeLedger(db, accountId, 1_000)
  const endpointId = await insertEndpointRow(db, accountId)
  const { id } = await begin(endpointId)
  const crash = async (at: Date) => {
    const client = await db.connect()
    await client.query('begin')
    const inTransaction = { connect: async () => client } as unknown as Pool
    const query = client.query.bind(client)
    const release = client.release.bind(client)
    client.release = () => {}
    // Everything but the commit happens before the crash.
    client.query = ((...args: [any]) =>
      /^(commit|begin)/.test(String(args[0])) ? query('select 1') : query(...args)) as any
    const page = await takeReplayPage(inTransaction, endpointId, at)
    await query('rollback')
    client.query = query as any
    client.release = release
    release()
    return page
  }
  let ms = 0
  let crashed = 0
  while ((await replayRow(id)).status === 'running') {
    ms += 1_000
    crashed += (await crash(after(ms))).queued
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => takeReplayPage(db, endpointId, after(ms))),
    )
    expect(pages.filter(({ queued }) => queued > 0).length).toBeLessThanOrEqual(1)
    await settle(db, endpointId, 'delivered')
  }
  expect(crashed).toBe(1_000)
  expect(await replayRow(id)).toMatchObject({ status: 'completed', queued: 1_000 })
  const { rows } = await db.query(
    'select count(*) as n, max(attempts) as most from delivery where endpoint_id = $1',
    [endpointId],
  )
  expect(rows).toEqual([{ n: 1_000, most: 1 }])
})

test('pending and in-flight events are skipped; body, sequence and attempts stay', async () => {
  const endpointId = await insertEndpointRow(db, accountId)
  await writeEvents(db, accountId, 4)
  await settle(db, endpointId, 'failed', [1, 2])
  const { id, counts } = await begin(endpointId)
  expect(counts).toEqual({ would_send: 2, in_flight: 2, never_attempted: 0 })
  await settle(db, endpointId, 'delivered', [3])
  await takeReplayPage(db, endpointId, begun)
  const { rows } = await db.query(
    `select event_number as n, status, replay_id, sequence, body, tries, attempts from delivery
     where endpoint_id = $1 order by event_number`,
    [endpointId],
  )
  const again = { status: 'pending', replay_id: id, body: '{"sent":true}', tries: 0, attempts: 1 }
  expect(rows).toMatchObject([
    { n: 1, sequence: 1, ...again },
    { n: 2, sequence: 2, ...again },
    { n: 3, status: 'delivered', replay_id: null },
    { n: 4, status: 'pending', replay_id: null, attempts: 0 },
  ])
})

test('failures since a time, unattempted events and named events are selected alone', async () => {
  const early = await writeEvents(db, accountId, 2)
  const endpointId = await insertEndpointRow(db, accountId)
  await writeEvents(db, accountId, 5)
  await settle(db, endpointId, 'delivered', [3])
  await settle(db, endpointId, 'failed', [4])
  const set = (number: number, status: string) =>
    db.query(
      `update delivery set status = $3, due_at = null, updated_at = now()
       where endpoint_id = $1 and event_number = $2`,
      [endpointId, number, status],
    )
  await set(5, 'expired')
  await set(6, 'discarded')
  const find = async (change: Partial<ReplayFilter>) => {
    const { id, counts } = await begin(endpointId, change)
    await updateReplayStatus(db, id, 'cancel', begun)
    return counts
  }
  const hourAgo = after(-3_600_000).toISOString()
  expect(await find({ failedSince: hourAgo })).toMatchObject({ would_send: 2, in_flight: 0 })
  expect(await find({ failedSince: after(3_600_000).toISOString() })).toMatchObject({
    would_send: 0,
  })
  const unsent = await find({ neverAttempted: true })
  expect(unsent).toEqual({ would_send: 4, in_flight: 1, never_attempted: 4 })
  expect(await find({ numbers: [2, 4] })).toMatchObject({ would_send: 2, never_attempted: 1 })
  expect(await find({ types: ['booking.held'] })).toMatchObject({ would_send: 0 })
  expect(early).toHaveLength(2)

  // It is unknown whether an erased event was sent.
  await db.query('insert into delivery_erasure (erased_before) values (now())')
  expect(await find({ neverAttempted: true })).toMatchObject({ would_send: 2 })
})

test('an endpoint has one open replay, which enqueues nothing while either is paused', async () => {
  await writeLedger(db, accountId, 10)
  const endpointId = await insertEndpointRow(db, accountId)
  const { id } = await begin(endpointId)
  const another = { id: randomUUIDv7(), accountId, endpointId, filter: everything, first: 1 }
  const second = { ...another, last: 10, perSecond: 1, total: 10, at: begun }
  expect(await insertReplay(db, second)).toBe(false)
  await updateReplayStatus(db, id, 'pause', begun)
  expect(await insertReplay(db, second)).toBe(false)
  expect(await takeReplayPage(db, endpointId, begun)).toEqual({ queued: 0, nextAt: null })
  await updateReplayStatus(db, id, 'resume', begun)
  await db.query(`update endpoint set status = 'paused' where id = $1`, [endpointId])
  expect(await takeReplayPage(db, endpointId, begun)).toEqual({ queued: 0, nextAt: null })
  await db.query(`update endpoint set status = 'active' where id = $1`, [endpointId])
  expect((await takeReplayPage(db, endpointId, begun)).queued).toBe(10)
  expect(await updateReplayStatus(db, id, 'cancel', begun)).toBe(false)
  expect(await insertReplay(db, second)).toBe(true)
})

test('a replay can start while another ends, but not at a deleted endpoint', async () => {
  await writeLedger(db, accountId, 10)
  const endpointId = await insertEndpointRow(db, accountId)
  const { id } = await begin(endpointId)
  const another = { id: randomUUIDv7(), accountId, endpointId, filter: everything, first: 1 }
  const second = { ...another, last: 10, perSecond: 1, total: 10, at: begun }
  expect(await beginReplay(db, second)).toEqual({ openId: id })
  const endsAfterInsert: Db = {
    query: (async (...asked: unknown[]) => {
      const query = db.query as (...args: unknown[]) => Promise<{ command: string }>
      const result = await query.call(db, ...asked)
      if (result.command === 'INSERT') await updateReplayStatus(db, id, 'cancel', begun)
      return result
    }) as never as Db['query'],
  }
  expect(await beginReplay(endsAfterInsert, second)).toBe('started')
  await db.query(
    `update endpoint set deleted_at = now(), status = 'disabled', nth = null where id = $1`,
    [endpointId],
  )
  await updateReplayStatus(db, second.id, 'cancel', begun)
  expect(await beginReplay(db, { ...second, id: randomUUIDv7() })).toBe('deleted')
})

test('a test event is replayed only to its own endpoint', async () => {
  const [endpointId, other] = [
    await insertEndpointRow(db, accountId),
    await insertEndpointRow(db, accountId),
  ]
  await writeEvents(db, accountId, 1)
  await db.query(`update event set type = 'endpoint.test' where account_id = $1`, [accountId])
  await db.query('delete from delivery where endpoint_id = $1', [other])
  await settle(db, endpointId, 'delivered')
  expect((await begin(endpointId)).counts).toMatchObject({ would_send: 1 })
  expect((await begin(other)).counts).toMatchObject({ would_send: 0 })
})

test('a few matches in a long ledger are found in one page', async () => {
  await writeLedger(db, accountId, 60_000)
  const endpointId = await insertEndpointRow(db, accountId)
  await db.query(
    `update event set type = 'booking.held' where account_id = $1 and number in (5, 59990)`,
    [accountId],
  )
  await begin(endpointId, { types: ['booking.held'] })
  expect(await takeReplayPage(db, endpointId, begun)).toEqual({ queued: 2, nextAt: null })
})
