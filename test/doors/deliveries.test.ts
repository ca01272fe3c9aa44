import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refuse } from '../../src/model/errors.ts'
import { insertEndpointRow, settle, standing, writeEvents } from '../support/deliveries.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors, postEnvelope } from './open-doors.ts'

let doors: Doors
let holder: Holder

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  holder = await doors.openAccount('free')
  doors.engine.sentNow = 'pending'
  doors.engine.isDown = false
  doors.engine.signals.length = 0
})

async function send(method: string, path: string, body?: unknown, { key } = holder, headers = {}) {
  const response = await fetch(`${doors.url}${path}`, {
    method,
    headers: {
      ...bearer(key),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await jsonOf(response) }
}
const get = (path: string, as = holder) => send('GET', path, undefined, as)
const ask = async (intent: string, payload: unknown, { key } = holder) =>
  (await postEnvelope(doors.url, key, { intent, payload })).body

const endpoint = (given = {}) => insertEndpointRow(doors.db, holder.accountId, given)
const write = (count: number, type?: Parameters<typeof writeEvents>[3]) =>
  writeEvents(doors.db, holder.accountId, count, type)

test('deliveries are listed newest first over all endpoints, page by page, the same at A2A', async () => {
  const [one, two] = [await endpoint(), await endpoint()]
  await write(3)
  const pages: any[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: any } = await get(
      `/api/deliveries?limit=4${cursor && `&cursor=${cursor}`}`,
    )
    pages.push(body.deliveries.map((d: any) => [d.event.number, d.endpoint_id]))
    cursor = body.next_cursor
  }
  const [low, high] = [one, two].sort()
  expect(pages.flat()).toEqual([3, 2, 1].flatMap((n) => [high, low].map((id) => [n, id])))
  expect(pages.map((page) => page.length)).toEqual([4, 2])
  const { payload } = await ask('webhook.deliveries', { limit: 4 })
  expect(payload).toEqual((await get('/api/deliveries?limit=4')).body)
})

test('filters choose by endpoint, status, type and time; held is what waits for an endpoint that is not active', async () => {
  const [active, paused] = [await endpoint(), await endpoint({ status: 'paused' })]
  await write(1)
  await settle(doors.db, active, 'failed')
  await write(1, 'fee.accrued')
  const numbers = async (query: string) => {
    const { status, body } = await get(`/api/deliveries?${query}`)
    expect(status).toBe(200)
    return body.deliveries.map((d: any) => [d.event.number, d.endpoint_id, d.status])
  }
  expect(await numbers('status=held')).toEqual([
    [2, paused, 'held'],
    [1, paused, 'held'],
  ])
  expect(await numbers('status=pending')).toEqual([[2, active, 'pending']])
  expect(await numbers('status=failed')).toEqual([[1, active, 'failed']])
  expect(await numbers(`endpoint=${active}&type=fee.*`)).toEqual([[2, active, 'pending']])
  const [past, future] = [-1, 1].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  )
  expect(await numbers(`from=${past}&until=${future}`)).toHaveLength(4)
  expect(await numbers(`from=${future}`)).toEqual([])
  expect(await numbers(`until=${past}`)).toEqual([])
})

test('the deliveries of one event are found by its id, in its own account only', async () => {
  const [one, two] = [await endpoint(), await endpoint()]
  const [, id] = await write(3)
  const { body } = await get(`/api/deliveries?event=${id}`)
  expect(body.deliveries.map((d: any) => [d.event.id, d.endpoint_id])).toEqual(
    [one, two]
      .sort()
      .toReversed()
      .map((endpoint) => [id, endpoint]),
  )
  const other = await doors.openAccount('free')
  const missing = { status: 404, body: { code: 'event_not_found' } }
  expect(await get(`/api/deliveries?event=${id}`, other)).toMatchObject(missing)
})

test('a delivery shows its attempts, with secrets hidden, and when it is tried next by which rule', async () => {
  const id = await endpoint({ headerNames: ['X-Token'] })
  const [eventId] = await write(1)
  const [listed] = (await get('/api/deliveries')).body.deliveries
  expect(listed).toMatchObject({
    event: { id: eventId, number: 1 },
    status: 'pending',
    last_attempt: null,
    next: { at: expect.any(String), rule: 'As soon as possible.' },
  })
  await settle(doors.db, id, 'failed')
  const { body } = await get(`/api/deliveries/${listed.id}`)
  expect(body).toMatchObject({
    delivery: {
      status: 'failed',
      attempt_count: 1,
      last_attempt: { status: 'failed', http_status: 500, failure: 'server_error', ms: 12 },
      next: null,
    },
    body: '{"sent":true}',
    attempts: [
      {
        number: 1,
        cause: 'schedule',
        status: 'failed',
        failure: {
          category: 'server_error',
          text: 'The receiver did not accept it: only 2xx is a success.',
        },
        request: {
          method: 'POST',
          url: 'https://receiver.example/hooks',
          headers: {
            'webhook-id': eventId,
            'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
            'webhook-signature': 'v1,•••',
            'x-token': '•••',
          },
          signed_with: [expect.any(String)],
        },
        response: { headers: {}, body: 'said by the receiver', truncated: false },
      },
    ],
  })
  expect((await ask('webhook.delivery', { id: listed.id })).payload).toEqual(body)
})

test('what a receiver answered is hidden until its endpoint has proved itself', async () => {
  const id = await endpoint()
  await write(1)
  await settle(doors.db, id, 'failed')
  await doors.db.query(
    `update endpoint set verified_at = null, status = 'unverified' where id = $1`,
    [id],
  )
  const [{ id: deliveryId }] = (await get('/api/deliveries')).body.deliveries
  const { body } = await get(`/api/deliveries/${deliveryId}`)
  expect(body.attempts).toMatchObject([{ http_status: 500, response: null }])
  expect(JSON.stringify(body)).not.toContain('said by the receiver')
})

test('an endpoint that waits says until when and why', async () => {
  const id = await endpoint()
  await write(1)
  const until = new Date(Date.now() + 60_000).toISOString()
  await doors.db.query(
    `update endpoint set wait_until = $2, wait_reason = 'retry_after' where id = $1`,
    [id, until],
  )
  const [{ next }] = (await get('/api/deliveries')).body.deliveries
  expect(next).toEqual({ at: until, rule: expect.stringContaining('Retry-After') })
})

test('a retry answers what came of it, or 202 while it is under way', async () => {
  const id = await endpoint({ status: 'disabled' })
  await write(1)
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const path = `/api/deliveries/${delivery.id}/retry`
  const pending = await send('POST', path, {}, holder, { prefer: 'wait=1' })
  expect(pending).toMatchObject({ status: 202, body: { status: 'pending', attempt: null } })
  expect(pending.headers.get('location')).toBe(`/api/deliveries/${delivery.id}`)

  await settle(doors.db, id, 'delivered')
  const { rows } = await doors.db.query('select id from attempt where delivery_id = $1', [
    delivery.id,
  ])
  const outcome = { attemptId: rows[0].id, httpStatus: 200, failure: null, ms: 12 }
  doors.engine.sentNow = { ...outcome, status: 'succeeded' }
  const sent = await send('POST', path)
  expect(sent).toMatchObject({
    status: 200,
    body: {
      status: 'succeeded',
      delivery: { status: 'delivered' },
      attempt: { id: rows[0].id, http_status: 200 },
    },
  })
  expect((await ask('webhook.retry', { id: delivery.id })).payload).toEqual(sent.body)
})

test.each([
  ['busy', 'delivery_under_way', 409],
  ['deleted', 'endpoint_deleted', 409],
  ['disabled', 'endpoint_not_active', 409],
  ['unproved', 'endpoint_not_active', 409],
  ['no_secret', 'no_signing_secret', 409],
] as const)('a retry that is refused as %s is %s', async (refused, code, status) => {
  await endpoint()
  await write(1)
  const [{ id }] = (await get('/api/deliveries')).body.deliveries
  doors.engine.sentNow = { refused }
  expect(await send('POST', `/api/deliveries/${id}/retry`)).toMatchObject({
    status,
    body: { code, delivery_id: id },
  })
})

test('nothing is sent again to an endpoint that is deleted or has yet to prove itself', async () => {
  const id = await endpoint()
  await write(1)
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const retry = () => send('POST', `/api/deliveries/${delivery.id}/retry`)
  const replay = () => send('POST', `/api/webhooks/${id}/replays`, { from_number: 1 })
  const unproved = { status: 409, body: { code: 'endpoint_not_active', endpoint_id: id } }
  for (const status of ['unverified', 'paused', 'disabled']) {
    const as = [id, status]
    await doors.db.query('update endpoint set status = $2, proved_at = null where id = $1', as)
    expect(await retry()).toMatchObject(unproved)
    expect(await replay()).toMatchObject(unproved)
  }
  await doors.db.query('update endpoint set deleted_at = now() where id = $1', [id])
  expect(await retry()).toMatchObject({ status: 409, body: { code: 'endpoint_deleted' } })
  expect(await replay()).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
})

test('a replay is counted first, made once whatever its key is sent again, read, paused, resumed and cancelled', async () => {
  const id = await endpoint()
  await write(3)
  await settle(doors.db, id, 'failed', [1, 2])
  const since = new Date(Date.now() - 60_000).toISOString()
  const path = `/api/webhooks/${id}/replays`
  const counted = await send('POST', path, { failed_since: since, dry_run: true })
  const counts = { would_send: 2, under_way: 0, never_attempted: 0 }
  expect(counted).toMatchObject({ status: 200, body: { counts, replay: null } })
  expect(doors.engine.signals).toEqual([])

  const once = { 'idempotency-key': randomUUID() }
  const made = await send('POST', path, { failed_since: since }, holder, once)
  expect(made).toMatchObject({
    status: 201,
    body: {
      counts,
      replay: {
        status: 'running',
        endpoint_id: id,
        endpoint_status: 'active',
        chosen: { failed_since: since },
        per_second: 100,
        total: 2,
        queued: 0,
      },
    },
  })
  const { replay } = made.body
  expect(made.headers.get('location')).toBe(`/api/replays/${replay.id}`)
  const start = { endpointId: id, accountId: holder.accountId }
  expect(doors.engine.signals).toEqual([{ start, signal: { name: 'replay', replayId: replay.id } }])

  const again = await send('POST', path, { failed_since: since }, holder, once)
  expect(again).toMatchObject({ status: 200, body: { replayed: true, replay: { id: replay.id } } })
  const other = await send('POST', path, { from_number: 1 }, holder, once)
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
  const second = await ask('webhook.replay', { id, from_number: 1 })
  expect(second.error).toMatchObject({ code: 'replay_running', replay_id: replay.id })

  const change = (name: string) => send('POST', `/api/replays/${replay.id}/${name}`)
  for (const [name, status] of [
    ['pause', 'paused'],
    ['pause', 'paused'],
    ['resume', 'running'],
    ['cancel', 'cancelled'],
    ['cancel', 'cancelled'],
  ] as const) {
    expect(await change(name)).toMatchObject({ status: 200, body: { replay: { status } } })
  }
  expect(await change('resume')).toMatchObject({ status: 409, body: { code: 'replay_over' } })
  expect((await ask('webhook.pause_replay', { id: replay.id })).error.code).toBe('replay_over')
  const listed = await get(path)
  expect(listed.body).toMatchObject({ replays: [{ id: replay.id }], next_cursor: null })
  expect((await ask('webhook.replays', { id })).payload).toEqual(listed.body)
  const read = await get(`/api/replays/${replay.id}`)
  expect((await ask('webhook.get_replay', { id: replay.id })).payload).toEqual(read.body)
  await doors.db.query('delete from replay where id = $1', [replay.id])
  const late = await send('POST', path, { failed_since: since }, holder, once)
  expect(late).toMatchObject({ status: 200, body: { replayed: true, replay: null } })
  expect(late.body.next).toContain(`${replay.id} was made`)
  expect(await standing(doors.db, id)).toEqual([
    [1, 'failed'],
    [2, 'failed'],
    [3, 'pending'],
  ])
})

test('a replay of nothing is completed at once, and a range means the types that the endpoint wants unless it says which', async () => {
  const id = await endpoint({ types: ['fee.*'] })
  await write(2)
  await write(1, 'fee.accrued')
  await settle(doors.db, id, 'delivered')
  const path = `/api/webhooks/${id}/replays`
  const count = async (body: object) =>
    (await send('POST', path, { ...body, dry_run: true })).body.counts.would_send
  expect(await count({ from_number: 1 })).toBe(1)
  expect(await count({ from_number: 1, types: ['*'] })).toBe(3)
  expect(await count({ types: ['endpoint.*'] })).toBe(2)
  expect(await count({ from: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' })).toBe(1)
  expect(await count({ until_number: 2, types: ['*'] })).toBe(2)
  expect(await count({ never_attempted: true, types: ['*'] })).toBe(2)
  const [event] = (await get('/api/events')).body.events
  expect(await count({ events: [event.id] })).toBe(1)
  expect(await count({ from: 2, until: 3, types: ['*'] })).toBe(2)
  expect(await count({ from: 3 })).toBe(1)
  expect(await count({ until: 2, types: ['*'] })).toBe(2)
  for (const old of [`2026-01-01T00:00:00.${'1'.repeat(150)}Z`, '0001-01-01T00:00:00Z']) {
    expect(await count({ from: old })).toBe(1)
    expect(await count({ failed_since: old })).toBe(0)
  }
  const empty = await send('POST', path, { from_number: 1000 })
  expect(empty).toMatchObject({ status: 201, body: { replay: { status: 'completed', total: 0 } } })
})

const past = '2026-01-01T00:00:00Z'
const finest = `2026-01-01T00:00:00.${'1'.repeat(150)}`
test.each<[string, Record<string, unknown>]>([
  ['no choice', {}],
  ['two choices', { from_number: 1, failed_since: past }],
  ['numbers the wrong way round', { from_number: 5, until_number: 4 }],
  ['times the wrong way round', { from: past, until: past }],
  ['times that are the same to the millisecond', { from: `${finest}1Z`, until: `${finest}2Z` }],
  ['a time of year 0', { from: '0000-01-01T00:00:00Z' }],
  ['failures since year 0', { failed_since: '0000-01-01T00:00:00Z' }],
  ['a number and a time', { from: 1, until: past }],
  ['a number below 1', { from: 0 }],
  ['numbers in two ways', { from: 1, from_number: 1 }],
  ['plain numbers the wrong way round', { from: 5, until: 4 }],
  ['a local time', { failed_since: '2026-01-01T00:00:00' }],
  ['no events', { events: [] }],
  ['an event that is no id', { events: ['x'] }],
  ['too many events', { events: Array.from({ length: 101 }, () => randomUUID()) }],
  ['an unknown type', { types: ['booking'] }],
  ['never_attempted false', { never_attempted: false }],
  ['no pace', { from_number: 1, per_second: 0 }],
  ['too fast', { from_number: 1, per_second: 1001 }],
  ['an unknown field', { from_number: 1, since: past }],
])('a replay with %s is refused at both doors', async (_, body) => {
  const id = await endpoint()
  const answer = await send('POST', `/api/webhooks/${id}/replays`, body)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((await ask('webhook.replay', { id, ...body })).error.code).toBe('invalid_request')
})

test('events of another account cannot be named', async () => {
  const id = await endpoint()
  const other = await doors.openAccount('free')
  const [foreign] = await writeEvents(doors.db, other.accountId, 1)
  expect(await send('POST', `/api/webhooks/${id}/replays`, { events: [foreign] })).toMatchObject({
    status: 404,
    body: { code: 'event_not_found' },
  })
})

test('another account meets 404 at every address', async () => {
  const id = await endpoint()
  await write(1)
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const path = `/api/webhooks/${id}/replays`
  const { replay } = (await send('POST', path, { from_number: 1 })).body
  const other = await doors.openAccount('pro')
  const asked: [string, string, string, string][] = [
    ['GET', `/api/deliveries/${delivery.id}`, 'delivery_not_found', 'webhook.delivery'],
    ['POST', `/api/deliveries/${delivery.id}/retry`, 'delivery_not_found', 'webhook.retry'],
    ['GET', path, 'endpoint_not_found', 'webhook.replays'],
    ['GET', `/api/replays/${replay.id}`, 'replay_not_found', 'webhook.get_replay'],
    ...['pause', 'resume', 'cancel'].map((verb): [string, string, string, string] => [
      'POST',
      `/api/replays/${replay.id}/${verb}`,
      'replay_not_found',
      `webhook.${verb}_replay`,
    ]),
  ]
  for (const [method, address, code, intent] of asked) {
    const answer = await send(method, address, undefined, other)
    expect([address, answer.status, answer.body.code]).toEqual([address, 404, code])
    const subject = /([0-9a-f-]{36})/.exec(address)?.[1]
    expect((await ask(intent, { id: subject }, other)).error).toMatchObject({ code })
  }
  const made = await send('POST', path, { from_number: 1 }, other)
  expect(made).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
  expect(await get(`/api/deliveries?endpoint=${id}`, other)).toMatchObject({ status: 404 })
  expect((await get('/api/deliveries', other)).body.deliveries).toEqual([])
  expect(await get(`/api/replays/${replay.id}`)).toMatchObject({
    body: { replay: { status: replay.status } },
  })
})

test.each([
  '?status=lost',
  '?endpoint=x',
  '?type=all',
  '?from=yesterday',
  '?limit=101',
  '?cursor=nonsense',
])('deliveries%s is refused', async (query) => {
  const { status, body } = await get(`/api/deliveries${query}`)
  const code = query.startsWith('?cursor') ? 'invalid_cursor' : 'invalid_request'
  expect([status, body.code]).toEqual([400, code])
})

test('when the engine is away, a replay is made all the same, and a retry says to ask again', async () => {
  const id = await endpoint()
  await write(1)
  doors.engine.isDown = true
  const made = await send('POST', `/api/webhooks/${id}/replays`, { from_number: 1 })
  expect(made).toMatchObject({ status: 201 })
  const { retryDelivery } = doors.engine
  doors.engine.retryDelivery = async () => {
    throw refuse('booking_engine_unavailable', undefined, { retry_after: 5 })
  }
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const refused = await send('POST', `/api/deliveries/${delivery.id}/retry`)
  doors.engine.retryDelivery = retryDelivery
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('5')
})
