import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { settle, standing } from '../support/deliveries.ts'
import { openDeliveryDoors } from '../support/delivery-calls.ts'

const here = openDeliveryDoors()
const { send, get, endpoint, write } = here

const path = '/api/deliveries/retry'
const idsOf = async () =>
  ((await get('/api/deliveries?limit=100')).body.deliveries as { id: string }[]).map(({ id }) => id)

/** Makes the deliveries of these events fail once and wait an hour for the next attempt. */
const fail = (endpointId: string, numbers: number[]) =>
  here.doors.db.query(
    `update delivery set tries = 3, due_at = now() + interval '1 hour'
     where endpoint_id = $1 and event_number = any($2)`,
    [endpointId, numbers],
  )
const waitFor = (endpointId: string, reason: string) =>
  here.doors.db.query(
    `update endpoint set wait_until = now() + interval '5 minutes', wait_reason = $2 where id = $1`,
    [endpointId, reason],
  )
const dueNow = async (endpointId: string) => {
  const { rows } = await here.doors.db.query(
    `select event_number::int as n from delivery
     where endpoint_id = $1 and status = 'pending' and due_at <= now() and tries = 0
       and give_up_at > now() + interval '89 hours' order by 1`,
    [endpointId],
  )
  return rows.map(({ n }) => n)
}

test('deliveries that wait after a failure become due; abandoned ones are replayed', async () => {
  const id = await endpoint()
  await write(5)
  await settle(here.doors.db, id, 'delivered', [1])
  await settle(here.doors.db, id, 'failed', [2])
  await fail(id, [3, 4])
  await waitFor(id, 'breaker')
  expect((await get(`/api/webhooks/${id}`)).body.endpoint.deliveries).toEqual({
    ...{ pending: 3, failing: 2, held: 0, failed: 1 },
  })
  const failing = (await get('/api/deliveries?status=failing')).body.deliveries
  expect(failing.map((one: any) => one.event.number)).toEqual([4, 3])

  const body = { endpoint: id, failed_since: '2020-01-01T00:00:00Z', idempotency_key: 'k-1' }
  const retried = await send('POST', path, body)
  expect(retried).toMatchObject({ status: 200, body: { retried: 2, replay: { total: 1 } } })
  expect(await dueNow(id)).toEqual([3, 4, 5])
  expect((await get(`/api/webhooks/${id}`)).body.endpoint.wait_until).toBeNull()
  expect(here.doors.engine.signals.map(({ signal }) => signal.name)).toEqual(['deliver', 'replay'])
  expect((await get('/api/deliveries?status=failing')).body.deliveries).toEqual([])

  const again = await send('POST', path, body)
  expect(again.body).toMatchObject({ retried: 0, replayed: true })
  expect(again.body.replay.id).toBe(retried.body.replay.id)
})

test('without failed_since, abandoned deliveries stay abandoned', async () => {
  const id = await endpoint()
  await write(2)
  await settle(here.doors.db, id, 'failed', [1])
  await fail(id, [2])
  expect((await send('POST', path, { endpoint: id })).body).toMatchObject({
    ...{ retried: 1, skipped: 0, replay: null },
  })
  expect(await standing(here.doors.db, id)).toEqual([
    [1, 'failed'],
    [2, 'pending'],
  ])
})

test('chosen deliveries become due whatever their status, except one in flight', async () => {
  const id = await endpoint()
  await write(4)
  await settle(here.doors.db, id, 'delivered', [1])
  await settle(here.doors.db, id, 'failed', [2])
  await fail(id, [3])
  await here.doors.db.query(
    `update delivery set status = 'sending', due_at = null
     where endpoint_id = $1 and event_number = 4`,
    [id],
  )
  const deliveries = await idsOf()
  const body = { deliveries: [...deliveries, deliveries[0]], idempotency_key: 'k-2' }
  expect((await send('POST', path, body)).body).toMatchObject({ retried: 3, skipped: 1 })
  expect(await dueNow(id)).toEqual([1, 2, 3])
  await settle(here.doors.db, id, 'delivered', [1, 2, 3])
  expect((await send('POST', path, body)).body).toMatchObject({ retried: 0, replayed: true })
  expect(await dueNow(id)).toEqual([])
})

test('a pause that the receiver asked for stays', async () => {
  const id = await endpoint()
  await write(1)
  await waitFor(id, 'retry_after')
  await send('POST', path, { endpoint: id })
  expect((await get(`/api/webhooks/${id}`)).body.endpoint.wait_reason).toBe('retry_after')
})

test.each<[string, Record<string, unknown>, string]>([
  ['nothing', {}, ''],
  ['both ways', { deliveries: [randomUUID()], endpoint: randomUUID() }, '/endpoint'],
  [
    'a time without an endpoint',
    { deliveries: [randomUUID()], failed_since: '2026-01-01T00:00:00Z' },
    '/failed_since',
  ],
  ['no delivery', { deliveries: [] }, '/deliveries'],
])('%s is refused', async (_, body, pointer) => {
  const refused = await send('POST', path, body)
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(refused.body.errors[0].pointer).toBe(pointer)
})

test('nothing is retried at an unverified or deleted endpoint, or during a replay', async () => {
  const id = await endpoint()
  await write(1)
  await settle(here.doors.db, id, 'failed')
  const [delivery] = await idsOf()
  const one = () => send('POST', path, { deliveries: [delivery] })
  const all = () => send('POST', path, { endpoint: id, failed_since: '2020-01-01T00:00:00Z' })
  await all()
  await settle(here.doors.db, id, 'failed')
  expect(await all()).toMatchObject({ status: 409, body: { code: 'replay_running' } })
  await here.doors.db.query('update endpoint set proved_at = null where id = $1', [id])
  const closed = { status: 409, body: { code: 'endpoint_not_active', endpoint_id: id } }
  expect(await one()).toMatchObject(closed)
  expect(await all()).toMatchObject(closed)
  await here.doors.db.query('update endpoint set deleted_at = now() where id = $1', [id])
  expect(await one()).toMatchObject({ status: 409, body: { code: 'endpoint_deleted' } })
  expect(await all()).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
})
