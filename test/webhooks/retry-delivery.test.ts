import { expect, test } from 'vitest'
import { refuse } from '../../src/base/errors.ts'
import { settle } from '../support/deliveries.ts'
import { openDeliveryDoors } from '../support/delivery-calls.ts'

const here = openDeliveryDoors()
const { send, get, ask, endpoint, write } = here

test('a retry returns its outcome, or 202 while it is in flight', async () => {
  const id = await endpoint({ status: 'disabled' })
  await write(1)
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const path = `/api/deliveries/${delivery.id}/retry`
  const pending = await send('POST', path, {}, here.holder, { prefer: 'wait=1' })
  expect(pending).toMatchObject({ status: 202, body: { status: 'pending', attempt: null } })
  expect(pending.headers.get('location')).toBe(`/api/deliveries/${delivery.id}`)
  expect(pending.headers.get('retry-after')).toBe('2')

  await settle(here.doors.db, id, 'delivered')
  const { rows } = await here.doors.db.query('select id from attempt where delivery_id = $1', [
    delivery.id,
  ])
  const outcome = { id: rows[0].id, http_status: 200, failure: null, ms: 12 }
  here.doors.engine.sentNow = { ...outcome, status: 'succeeded' }
  const sent = await send('POST', path)
  expect(sent).toMatchObject({
    status: 200,
    body: {
      status: 'succeeded',
      delivery: { status: 'delivered' },
      attempt: { id: rows[0].id, http_status: 200 },
    },
  })
  expect((await ask('delivery.retry', { id: delivery.id })).payload).toEqual(sent.body)
})

test.each([
  ['busy', 'delivery_in_flight', 409],
  ['deleted', 'endpoint_deleted', 409],
  ['disabled', 'endpoint_not_active', 409],
  ['unproved', 'endpoint_not_active', 409],
  ['no_secret', 'no_signing_secret', 409],
] as const)('a retry that is refused as %s is %s', async (refused, code, status) => {
  await endpoint()
  await write(1)
  const [{ id }] = (await get('/api/deliveries')).body.deliveries
  here.doors.engine.sentNow = { refused }
  expect(await send('POST', `/api/deliveries/${id}/retry`)).toMatchObject({
    status,
    body: { code, delivery_id: id },
  })
})

test('nothing is retried at a deleted or unverified endpoint', async () => {
  const id = await endpoint()
  await write(1)
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const retry = () => send('POST', `/api/deliveries/${delivery.id}/retry`)
  const replay = () => send('POST', `/api/webhooks/${id}/replays`, { from_number: 1 })
  const unproved = { status: 409, body: { code: 'endpoint_not_active', endpoint_id: id } }
  for (const status of ['unverified', 'paused', 'disabled']) {
    const as = [id, status]
    await here.doors.db.query('update endpoint set status = $2, proved_at = null where id = $1', as)
    expect(await retry()).toMatchObject(unproved)
    expect(await replay()).toMatchObject(unproved)
  }
  await here.doors.db.query('update endpoint set deleted_at = now() where id = $1', [id])
  expect(await retry()).toMatchObject({ status: 409, body: { code: 'endpoint_deleted' } })
  expect(await replay()).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
})

test('while Temporal is down, a replay is created, and a retry says to try again', async () => {
  const id = await endpoint()
  await write(1)
  await here.doors.db.query(
    `update delivery set status = 'delivered', due_at = null where endpoint_id = $1`,
    [id],
  )
  here.doors.engine.isDown = true
  const made = await send('POST', `/api/webhooks/${id}/replays`, { from_number: 1 })
  expect(made).toMatchObject({ status: 201 })
  const { retryDelivery } = here.doors.engine
  here.doors.engine.retryDelivery = async () => {
    throw refuse('booking_engine_unavailable', undefined, { retry_after: 5 })
  }
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const refused = await send('POST', `/api/deliveries/${delivery.id}/retry`)
  here.doors.engine.retryDelivery = retryDelivery
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('5')
})
