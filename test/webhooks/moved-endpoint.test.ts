import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { retryDelivery } from '../../src/webhooks/sender/retry-delivery.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type EndpointOptions, makeEndpoint, putEvents } from '../support/endpoints.ts'
import { type EndpointAnswer, moveEndpoint, storeSender } from '../support/sender-store.ts'

const OLD = 'https://old.example/hooks'
const NEW = 'https://new.example/hooks'
const untouched = { url: NEW, status: 'active', failing_since: null, wait_until: null }

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

/** An endpoint whose URL changes during its first request; the new URL answers 204. */
async function given(
  old: EndpointAnswer,
  { count = 1, ...wish }: Partial<EndpointOptions> & { count?: number } = {},
) {
  const moved = { url: NEW, headers: { 'x-token': 'new' } }
  const sender = storeSender(db, async ({ url }) => {
    if (url !== OLD) return { status: 204 }
    if (sender.requests.length === 1) await moveEndpoint(db, sender.sealer, endpoint, moved)
    return old
  })
  const headers = { 'x-token': 'old' }
  const endpoint = await makeEndpoint(db, sender.sealer, { url: OLD, headers, ...wish })
  await putEvents(db, endpoint.accountId, count)
  const row = async () => {
    const { rows } = await db.query('select * from endpoint where id = $1', [endpoint.endpointId])
    return rows[0]
  }
  return { sender, endpoint, row }
}

test('a batch that continues at a new URL sends the headers of that URL', async () => {
  const { sender, endpoint } = await given({ status: 204 }, { isFifo: true, count: 2 })
  await sender.batch(endpoint)
  expect(sender.requests).toMatchObject([
    { url: OLD, headers: { 'x-token': 'old' } },
    { url: NEW, headers: { 'x-token': 'new' } },
  ])
})

test.each<[string, EndpointAnswer]>([
  ['asks for a delay', { status: 503, headers: { 'retry-after': '86400' } }],
  ['is gone', { status: 410 }],
  ['fails once more', { status: 500 }],
])('the old URL says nothing about the new one when it %s', async (_, old) => {
  const { sender, endpoint, row } = await given(old)
  const since = new Date(Date.now() - 6 * DAY_MS)
  await db.query(
    `update endpoint set failing_since = $2, warned_at = $2, failed_at = now() where id = $1`,
    [endpoint.endpointId, since],
  )
  const breaker = { failures: 4, probes: 0 }
  const report = await sender.batch(endpoint, { breaker })
  expect(report).toMatchObject({ breaker: { failures: 0 }, provedAt: null })
  expect(await row()).toMatchObject(untouched)
  await putEvents(db, endpoint.accountId, 1)
  const { sent } = await sender.batch(endpoint)
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['succeeded']))
})

test('a manual retry at the old URL does not disable the endpoint at the new one', async () => {
  const { sender, endpoint, row } = await given({ status: 410 })
  const { rows } = await db.query('select id from delivery where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  const order = { id: rows[0].id, at: Date.now() }
  const { signal } = new AbortController()
  const sent = await retryDelivery(sender.deps, endpoint, order, signal)
  expect(sent).toMatchObject({ status: 'failed', failure: 'gone' })
  expect(await row()).toMatchObject(untouched)
})

test('a batch keeps its breaker and concurrency only at the same URL', async () => {
  const { sender, endpoint } = await given({ status: 204 }, { count: 0 })
  const breaker = { failures: 9, probes: 3 }
  const first = await sender.batch(endpoint)
  const { provedAt } = first
  expect(provedAt).not.toBeNull()
  const before = await sender.batch(endpoint, { breaker, concurrency: 2, provedAt })
  expect(before).toMatchObject({ breaker, concurrency: 2 })
  await moveEndpoint(db, sender.sealer, endpoint, { url: NEW })
  const after = await sender.batch(endpoint, { breaker, concurrency: 2, provedAt })
  expect(after).toMatchObject({ breaker: { failures: 0 }, concurrency: 5 })
})
