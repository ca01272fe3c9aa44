import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { settle, standing, writeEvents } from '../support/deliveries.ts'
import { openDeliveryDoors } from '../support/delivery-calls.ts'

const here = openDeliveryDoors()
const { send, get, ask, endpoint, write } = here

test('a replay is counted, created once per key, read, paused, resumed and cancelled', async () => {
  const id = await endpoint()
  await write(3)
  await settle(here.doors.db, id, 'failed', [1, 2])
  const since = new Date(Date.now() - 60_000).toISOString()
  const path = `/api/webhooks/${id}/replays`
  const counted = await send('POST', path, { failed_since: since, dry_run: true })
  const counts = { would_send: 2, in_flight: 0, never_attempted: 0 }
  expect(counted).toMatchObject({ status: 200, body: { counts, replay: null } })
  expect(here.doors.engine.signals).toEqual([])

  const once = { 'idempotency-key': randomUUID() }
  const made = await send('POST', path, { failed_since: since }, here.holder, once)
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
  const start = { endpointId: id, accountId: here.holder.accountId }
  expect(here.doors.engine.signals).toEqual([
    {
      start,
      signal: { name: 'replay', id: replay.id, total: 2, per_second: 100, failed_since: since },
    },
  ])

  const again = await send('POST', path, { failed_since: since }, here.holder, once)
  expect(again).toMatchObject({ status: 200, body: { replayed: true, replay: { id: replay.id } } })
  const other = await send('POST', path, { from_number: 1 }, here.holder, once)
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
  const second = await ask('replay.create', { id, from_number: 1 })
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
  expect((await ask('replay.pause', { id: replay.id })).error.code).toBe('replay_over')
  const listed = await get(path)
  expect(listed.body).toMatchObject({ replays: [{ id: replay.id }], next_cursor: null })
  expect((await ask('replay.list', { id })).payload).toEqual(listed.body)
  const read = await get(`/api/replays/${replay.id}`)
  expect((await ask('replay.get', { id: replay.id })).payload).toEqual(read.body)
  await here.doors.db.query('delete from replay where id = $1', [replay.id])
  const late = await send('POST', path, { failed_since: since }, here.holder, once)
  expect(late).toMatchObject({ status: 200, body: { replayed: true, replay: null } })
  expect(late.body.next).toContain(`${replay.id} of an earlier request`)
  expect(await standing(here.doors.db, id)).toEqual([
    [1, 'failed'],
    [2, 'failed'],
    [3, 'pending'],
  ])
})

test('an empty replay completes at once; a range defaults to the endpoint’s types', async () => {
  const id = await endpoint({ types: ['fee.*'] })
  await write(2)
  await write(1, 'fee.accrued')
  await settle(here.doors.db, id, 'delivered')
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
  expect(empty).toMatchObject({ status: 409, body: { code: 'nothing_to_replay' } })
})

const past = '2026-01-01T00:00:00Z'
const finest = `2026-01-01T00:00:00.${'1'.repeat(150)}`
test.each<[string, Record<string, unknown>]>([
  ['no choice', {}],
  ['two choices', { from_number: 1, failed_since: past }],
  ['numbers in reverse order', { from_number: 5, until_number: 4 }],
  ['times in reverse order', { from: past, until: past }],
  ['times equal to the millisecond', { from: `${finest}1Z`, until: `${finest}2Z` }],
  ['a time in the year 0', { from: '0000-01-01T00:00:00Z' }],
  ['failures since the year 0', { failed_since: '0000-01-01T00:00:00Z' }],
  ['a number and a time', { from: 1, until: past }],
  ['a number below 1', { from: 0 }],
  ['numbers in two notations', { from: 1, from_number: 1 }],
  ['plain numbers in reverse order', { from: 5, until: 4 }],
  ['a local time', { failed_since: '2026-01-01T00:00:00' }],
  ['no events', { events: [] }],
  ['an invalid event id', { events: ['x'] }],
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
  expect((await ask('replay.create', { id, ...body })).error.code).toBe('invalid_request')
})

test('events of another account cannot be named', async () => {
  const id = await endpoint()
  const other = await here.doors.openAccount('free')
  const [foreign] = await writeEvents(here.doors.db, other.accountId, 1)
  expect(await send('POST', `/api/webhooks/${id}/replays`, { events: [foreign] })).toMatchObject({
    status: 404,
    body: { code: 'event_not_found' },
  })
})

test('another account gets 404 at every address', async () => {
  const id = await endpoint()
  await write(1)
  await settle(here.doors.db, id, 'delivered')
  const [delivery] = (await get('/api/deliveries')).body.deliveries
  const path = `/api/webhooks/${id}/replays`
  const { replay } = (await send('POST', path, { from_number: 1 })).body
  const other = await here.doors.openAccount('pro')
  const asked: [string, string, string, string][] = [
    ['GET', `/api/deliveries/${delivery.id}`, 'delivery_not_found', 'delivery.get'],
    ['POST', `/api/deliveries/${delivery.id}/retry`, 'delivery_not_found', 'delivery.retry'],
    ['GET', path, 'endpoint_not_found', 'replay.list'],
    ['GET', `/api/replays/${replay.id}`, 'replay_not_found', 'replay.get'],
    ...['pause', 'resume', 'cancel'].map((verb): [string, string, string, string] => [
      'POST',
      `/api/replays/${replay.id}/${verb}`,
      'replay_not_found',
      `replay.${verb}`,
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
