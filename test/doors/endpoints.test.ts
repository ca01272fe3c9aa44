import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reopenEndpoint } from '../../src/store/endpoint-states.ts'
import { transaction } from '../../src/store/sql.ts'
import { insertTestEvent } from '../../src/store/test-event.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { callsAt, intentsOnOne, webhookDoors } from './endpoint-calls.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors } from './open-doors.ts'

const url = 'https://agent.example/hooks'

let doors: Doors
let holder: Holder
beforeAll(async () => {
  doors = await openDoors()
})
beforeEach(async () => {
  holder = await doors.openAccount('free')
  doors.engine.signals = []
  doors.engine.sentNow = 'pending'
})
afterAll(() => doors?.close())

const challengeOf = async (id: string): Promise<string> => {
  const { rows } = await doors.db.query('select challenge from endpoint where id = $1', [id])
  return rows[0].challenge
}
const signals = () => doors.engine.signals.map(({ signal }) => signal.name)

/** As if the sender had learnt that nothing is to be sent for an hour. */
const makeWait = (id: string, reason: string) =>
  doors.db.query(
    `update endpoint set wait_until = now() + interval '1 hour', wait_reason = $2 where id = $1`,
    [id, reason],
  )

/** Puts up events for the endpoint as if they had happened. */
async function putUp(endpointId: string, count: number) {
  const { accountId } = holder
  for (let n = 0; n < count; n += 1) {
    const event = { accountId, endpointId, note: `${n}`, at: new Date(Date.now() - 60_000) }
    await insertTestEvent(doors.db, event)
  }
}

describe.each(webhookDoors)('at %s', (door) => {
  const call = callsAt(
    door,
    () => doors,
    () => holder,
  )
  const make = async (input: Record<string, unknown> = {}) =>
    (await call('webhook.create', { url, ...input })).body
  const makeActive = async () => {
    const { endpoint } = await make()
    const { id } = endpoint
    await call('webhook.verify', { id, challenge: await challengeOf(id) })
    return id as string
  }

  test('an endpoint is made with its secret, which is shown this once', async () => {
    const input = { event_types: ['booking.*', 'booking.*'], headers: { 'X-Tenant': 'bali' } }
    const { endpoint, secret, next } = await make(input)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(next).toContain(`/api/webhooks/${endpoint.id}/verify`)
    expect(endpoint).toMatchObject({
      url,
      event_types: ['booking.*'],
      headers: { 'x-tenant': '[redacted]' },
      status: 'unverified',
      verified: false,
      keys: [{ state: 'current', valid_until: null }],
      deliveries: { pending: 0, held: 0, failed: 0 },
      last_sequence: 0,
    })
    const read = await call('webhook.get', { id: endpoint.id })
    expect(read.body).toEqual({ endpoint })
    expect((await call('webhook.list')).body).toEqual({ endpoints: [endpoint] })
    expect(signals()).toEqual(['deliver'])
  })

  test('neither secrets nor headers are stored or logged as they are', async () => {
    const brought = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const headers = { authorization: 'Bearer hidden-of-mine' }
    const { endpoint } = await make({ secret: brought, headers, idempotency_key: randomUUID() })
    await call('webhook.rotate', { id: endpoint.id, secret: 'whsec_short-of-mine' })
    for (const table of ['endpoint', 'signing_key', 'used_key', 'event']) {
      const { rows } = await doors.db.query(`select t::text as row from ${table} t`)
      for (const { row } of rows) {
        expect(row).not.toContain('hidden-of-mine')
        expect(row).not.toContain(brought.slice(6))
      }
    }
    for (const secret of ['hidden-of-mine', brought.slice(6), 'short-of-mine']) {
      expect(doors.logged()).not.toContain(secret)
    }
  })

  test('the same idempotency key makes one endpoint and does not show its secret again', async () => {
    const idempotency_key = randomUUID()
    const input = { description: 'mine', headers: { 'x-a': '1' }, idempotency_key }
    const first = await make(input)
    const again = await call('webhook.create', { url, ...input })
    expect(again.body).toMatchObject({ endpoint: first.endpoint, replayed: true })
    expect(again.body).not.toHaveProperty('secret')
    const other = await call('webhook.create', { url, ...input, headers: { 'x-a': '2' } })
    expect(other.code).toBe('idempotency_mismatch')
    expect((await call('webhook.list')).body.endpoints).toHaveLength(1)
  })

  test('whoever repeats the challenge has proved the endpoint, and nothing else proves it', async () => {
    const { endpoint } = await make()
    const { id } = endpoint
    const wrong = await call('webhook.verify', { id, challenge: 'guessed' })
    expect(wrong.code).toBe('wrong_challenge')
    const proved = await call('webhook.verify', { id, challenge: await challengeOf(id) })
    expect(proved.body).toMatchObject({
      status: 'verified',
      endpoint: { status: 'active', verified: true, verified_at: expect.any(String) },
    })
    expect(signals()).toEqual(['deliver', 'resume'])
    const again = await call('webhook.verify', { id })
    expect(again.body).toEqual({ status: 'verified', endpoint: proved.body.endpoint })
  })

  test('a challenge that did not arrive, or was answered without it, is told with what to do', async () => {
    const { endpoint } = await make()
    const { id } = endpoint
    expect((await call('webhook.verify', { id, wait: 0 })).body).toMatchObject({
      status: 'pending',
      next: expect.stringContaining('verify again'),
    })
    const sent = { attemptId: randomUUID(), httpStatus: null, failure: 'dns', ms: 3 }
    doors.engine.sentNow = { ...sent, status: 'failed' }
    expect((await call('webhook.verify', { id })).body).toMatchObject({
      status: 'not_verified',
      attempt: { status: 'failed', failure: 'dns', http_status: null, ms: 3 },
      next: expect.stringContaining('did not arrive'),
    })
    doors.engine.sentNow = { ...sent, status: 'succeeded', httpStatus: 200, failure: null }
    expect((await call('webhook.verify', { id })).body.next).toContain('without the challenge')
  })

  test('another URL has to prove itself anew and holds meanwhile; other changes do not', async () => {
    const id = await makeActive()
    await putUp(id, 2)
    const same = await call('webhook.update', { id, url, description: 'new', fifo: true })
    expect(same.body).toMatchObject({
      endpoint: { status: 'active', description: 'new', fifo: true, deliveries: { pending: 2 } },
    })
    const before = await challengeOf(id)
    const moved = await call('webhook.update', { id, url: 'https://other.example/' })
    expect(moved.body).toMatchObject({
      endpoint: {
        status: 'unverified',
        status_reason: 'url_changed',
        verified: false,
        deliveries: { pending: 0, held: 2 },
      },
      next: expect.stringContaining('verify'),
    })
    const old = await call('webhook.verify', { id, challenge: before })
    expect(old.code).toBe('wrong_challenge')
  })

  test('headers are set and taken away one by one, never shown', async () => {
    const { endpoint } = await make({ headers: { 'X-One': '1', 'x-two': '2' } })
    const { id } = endpoint
    const changed = await call('webhook.update', { id, headers: { 'x-ONE': null, 'x-three': '3' } })
    const redacted = { 'x-three': '[redacted]', 'x-two': '[redacted]' }
    expect(changed.body.endpoint.headers).toEqual(redacted)
    const none = await call('webhook.update', { id, headers: { 'x-two': null, 'x-three': null } })
    expect(none.body.endpoint.headers).toEqual({})
    const { rows } = await doors.db.query('select headers from endpoint where id = $1', [id])
    expect(rows[0].headers).toBeNull()
  })

  test('a pause holds, and resuming releases what was held with a whole schedule, or discards it', async () => {
    const id = await makeActive()
    await putUp(id, 3)
    const paused = await call('webhook.pause', { id })
    expect(paused.body.endpoint).toMatchObject({
      status: 'paused',
      status_reason: 'owner',
      deliveries: { pending: 0, held: 3 },
    })
    expect((await call('webhook.pause', { id })).body).toEqual(paused.body)
    expect((await call('webhook.test', { id })).code).toBe('endpoint_not_active')
    const resumed = await call('webhook.resume', { id })
    expect(resumed.body).toMatchObject({
      endpoint: { status: 'active', status_reason: null, deliveries: { pending: 3, held: 0 } },
      released: 3,
    })
    const { rows } = await doors.db.query(
      `select extract(epoch from max(give_up_at - due_at))::int / 3600 as hours,
         bool_and(due_at > now() - interval '50 s') as is_due_anew
       from delivery where endpoint_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ hours: 90, is_due_anew: true }])
    await call('webhook.disable', { id })
    expect((await call('webhook.resume', { id })).code).toBe('endpoint_disabled')
    const enabled = await call('webhook.enable', { id, held: 'discard' })
    expect(enabled.body).toMatchObject({
      endpoint: { status: 'active', deliveries: { pending: 0, held: 0 } },
      discarded: 3,
    })
    expect((await call('webhook.enable', { id })).body).toEqual({
      endpoint: enabled.body.endpoint,
    })
    expect(signals()).toEqual(['deliver', 'resume', 'pause', 'resume', 'pause', 'resume'])
  })

  test.each([
    ['breaker', null],
    ['fifo', null],
    ['retry_after', 'retry_after'],
  ])(
    'after a pause or a disabling nothing waits any more because of %s, unless the receiver asked for it',
    async (reason, left) => {
      const id = await makeActive()
      for (const [hold, reopen] of [
        ['webhook.pause', 'webhook.resume'],
        ['webhook.disable', 'webhook.enable'],
      ] as const) {
        await makeWait(id, reason)
        await call(hold, { id })
        const { endpoint } = (await call(reopen, { id, held: 'release' })).body
        expect([endpoint.status, endpoint.wait_reason]).toEqual(['active', left])
      }
    },
  )

  test('an endpoint that is no longer first in, first out does not wait for its first event', async () => {
    const id = await makeActive()
    await call('webhook.update', { id, fifo: true })
    await makeWait(id, 'fifo')
    const still = await call('webhook.update', { id, description: 'new' })
    expect(still.body.endpoint.wait_reason).toBe('fifo')
    const { endpoint } = (await call('webhook.update', { id, fifo: false })).body
    expect(endpoint).toMatchObject({ fifo: false, wait_until: null, wait_reason: null })
    await makeWait(id, 'retry_after')
    const asked = await call('webhook.update', { id, fifo: false })
    expect(asked.body.endpoint.wait_reason).toBe('retry_after')
  })

  test('of two who resume at the same moment, the second discards nothing that is sent already', async () => {
    const id = await makeActive()
    await putUp(id, 3)
    await call('webhook.pause', { id })
    let second: ReturnType<typeof call> | undefined
    await transaction(doors.db, async (tx) => {
      await reopenEndpoint(tx, id, { from: 'paused', at: new Date() })
      second = call('webhook.resume', { id, held: 'discard' })
      await untilWaiting(doors.db, 1)
    })
    expect((await second)?.body).toMatchObject({
      endpoint: { status: 'active', deliveries: { pending: 3 } },
      discarded: 0,
    })
  })

  test('what was disabled before it proved itself has to prove itself when it is enabled', async () => {
    const { id } = (await make()).endpoint
    await call('webhook.disable', { id })
    expect((await call('webhook.verify', { id })).code).toBe('endpoint_disabled')
    const enabled = await call('webhook.enable', { id })
    expect(enabled.body).toMatchObject({
      endpoint: { status: 'unverified' },
      next: expect.stringContaining('verify'),
    })
    expect((await call('webhook.pause', { id })).code).toBe('endpoint_not_active')
  })

  test('a test event is for this endpoint alone, whatever it asks for', async () => {
    const id = await makeActive()
    const other = await makeActive()
    await call('webhook.update', { id, event_types: ['fee.accrued'] })
    const idempotency_key = randomUUID()
    const sent = await call('webhook.test', { id, note: 'hello', idempotency_key })
    const { event_id, delivery_id } = sent.body
    const { rows } = await doors.db.query(
      `select d.id, d.endpoint_id, e.type, e.data from delivery d
       join event e on e.account_id = d.account_id and e.number = d.event_number
       where d.endpoint_id = any($1)`,
      [[id, other]],
    )
    const data = { endpoint_id: id, note: 'hello' }
    expect(rows).toEqual([{ id: delivery_id, endpoint_id: id, type: 'endpoint.test', data }])
    const again = await call('webhook.test', { id, note: 'hello', idempotency_key })
    expect(again.body).toMatchObject({ event_id, delivery_id, replayed: true })
    await doors.db.query('delete from delivery where id = $1', [delivery_id])
    const late = await call('webhook.test', { id, note: 'hello', idempotency_key })
    expect(late.body).toMatchObject({ event_id, delivery_id: null, replayed: true })
    expect(late.body.next).toContain(`/api/events/${event_id}`)
  })

  test('deleting erases secrets and headers, discards what waits, and is told once and for all', async () => {
    const id = await makeActive()
    await call('webhook.update', { id, headers: { 'x-a': '1' } })
    await putUp(id, 2)
    expect((await call('webhook.delete', { id })).body).toEqual({
      id,
      deleted: true,
      discarded: 2,
    })
    expect((await call('webhook.delete', { id })).body).toMatchObject({ deleted: true })
    expect((await call('webhook.get', { id })).code).toBe('endpoint_not_found')
    const left = await doors.db.query(
      `select e.headers, d.status, (select count(*)::int from signing_key where endpoint_id = e.id) as keys
       from endpoint e join delivery d on d.endpoint_id = e.id where e.id = $1 group by 1, 2, 3`,
      [id],
    )
    expect(left.rows).toEqual([{ headers: null, status: 'discarded', keys: 0 }])
  })

  test('nobody reads or changes the endpoint of another account', async () => {
    const id = await makeActive()
    const before = (await call('webhook.get', { id })).body
    const stranger = await doors.openAccount('pro')
    expect((await call('webhook.list', {}, stranger.key)).body).toEqual({ endpoints: [] })
    const input = { 'webhook.update': { description: 'x' } } as Record<string, object>
    for (const intent of intentsOnOne) {
      const said = await call(intent, { id, ...input[intent] }, stranger.key)
      expect([intent, said.status, said.code]).toEqual([intent, 404, 'endpoint_not_found'])
    }
    expect((await call('webhook.get', { id })).body).toEqual(before)
  })
})

test('REST says where what was made is, and 202 while the challenge is on its way', async () => {
  const post = (path: string, body: object) =>
    fetch(doors.url + path, {
      method: 'POST',
      headers: { ...bearer(holder.key), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const made = await post('/api/webhooks', { url })
  const { endpoint } = await jsonOf(made)
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/webhooks/${endpoint.id}`])
  expect((await post(`/api/webhooks/${endpoint.id}/verify`, { wait: 0 })).status).toBe(202)
  const bare = await fetch(`${doors.url}/api/webhooks/${endpoint.id}`, {
    method: 'DELETE',
    headers: bearer(holder.key),
  })
  expect(bare.status).toBe(200)
})

test('the fifty-first endpoint of an account is refused, however many come at once, until one is deleted', async () => {
  const rich = await doors.openAccount('pro')
  const call = callsAt(
    'A2A',
    () => doors,
    () => rich,
  )
  const made = await Promise.all(Array.from({ length: 55 }, () => call('webhook.create', { url })))
  expect(made.filter(({ code }) => code === 'ok')).toHaveLength(50)
  expect(made.filter(({ code }) => code === 'endpoint_limit')).toHaveLength(5)
  const [first] = made.filter(({ code }) => code === 'ok')
  await call('webhook.delete', { id: first?.body.endpoint.id })
  expect((await call('webhook.create', { url })).code).toBe('ok')
})

test('a workflow engine that is away keeps nobody from changing an endpoint', async () => {
  const call = callsAt(
    'REST',
    () => doors,
    () => holder,
  )
  doors.engine.isDown = true
  try {
    const { endpoint } = (await call('webhook.create', { url })).body
    expect((await call('webhook.delete', { id: endpoint.id })).code).toBe('ok')
  } finally {
    doors.engine.isDown = false
  }
})
