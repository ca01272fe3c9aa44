import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { openBreaker } from '../../src/webhooks/rules/breaker.ts'
import { retryDelivery } from '../../src/webhooks/sender/retry-delivery.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { deliveriesOf, makeEndpoint, putEvent, putEvents } from '../support/endpoints.ts'
import { eventually } from '../support/programs.ts'
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

/** An endpoint whose only delivery is being retried; the test decides when it answers. */
async function givenRetry() {
  const answered = Promise.withResolvers<void>()
  const sender = storeSender(db, async () => {
    await answered.promise
    return { status: 204 }
  })
  const endpoint = await makeEndpoint(db, sender.sealer, { url })
  await putEvent(db, endpoint.accountId)
  const { rows } = await db.query('select id from delivery where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  const order = { id: rows[0].id, at: Date.now() }
  const retried = retryDelivery(sender.deps, endpoint, order, new AbortController().signal)
  await eventually('the retry to be sent', async () => sender.requests.length === 1)
  return { sender, endpoint, retried, answer: answered.resolve }
}

test('a batch skips a delivery while its owner retries it', async () => {
  const { sender, endpoint, retried, answer } = await givenRetry()
  expect((await sender.batch(endpoint)).sent).toEqual([])
  answer()
  expect(await retried).toMatchObject({ status: 'succeeded' })
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1 })
  expect(sender.requests).toHaveLength(1)
})

test('a successful retry counts, even if a concurrent scheduled attempt is lost', async () => {
  const { sender, endpoint, retried, answer } = await givenRetry()
  await db.query(
    `with taken as (
       update delivery set status = 'sending', due_at = null, attempts = 2 where endpoint_id = $1
         returning id
     )
     insert into attempt (id, delivery_id, endpoint_id, number, cause, status, started_at, url,
       signed_with)
     select gen_random_uuid(), id, $1, 2, 'schedule', 'sending', now(), $2, '{}' from taken`,
    [endpoint.endpointId, url],
  )
  answer()
  await retried
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1 })
  expect((await sender.batch(endpoint)).sent).toEqual([])
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1 })
})

test.each([500, 410])('a %i from before a successful retry disables nothing', async (status) => {
  const answered = Promise.withResolvers<void>()
  const sender = storeSender(db, async () => {
    if (sender.requests.length > 1) return { status: 204 }
    await answered.promise
    return { status }
  })
  const endpoint = await makeEndpoint(db, sender.sealer, { url })
  await putEvents(db, endpoint.accountId, 2)
  const ofEndpoint = [endpoint.endpointId]
  await db.query(
    `update endpoint set failing_since = $2, warned_at = $2, failed_at = now() where id = $1`,
    [...ofEndpoint, new Date(Date.now() - 6 * DAY_MS)],
  )
  const probed = sender.batch(endpoint, { breaker: openBreaker })
  await eventually('the probe to be sent', async () => sender.requests.length === 1)
  const { rows } = await db.query(
    `select id from delivery where endpoint_id = $1 and status = 'pending'`,
    ofEndpoint,
  )
  const order = { id: rows[0].id, at: Date.now() }
  const retried = await retryDelivery(sender.deps, endpoint, order, new AbortController().signal)
  expect(retried).toMatchObject({ status: 'succeeded' })
  answered.resolve()
  await probed
  const { rows: found } = await db.query(
    'select status, failing_since from endpoint where id = $1',
    ofEndpoint,
  )
  expect(found).toEqual([{ status: 'active', failing_since: null }])
  await sender.batch(endpoint, { at: Date.now() + DAY_MS })
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 2 })
})
