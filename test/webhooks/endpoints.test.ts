import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { headersContext } from '../../src/webhooks/store/endpoints.ts'
import { intentsOnOne, webhookDoors } from '../support/endpoint-calls.ts'
import { openEndpointDoors, url } from '../support/endpoint-doors.ts'
import { bearer, jsonOf } from '../support/open-doors.ts'

const here = openEndpointDoors()
const { challengeOf, signals, enqueueEvents } = here

describe.each(webhookDoors)('at %s', (door) => {
  const { call, make, makeActive } = here.at(door)

  test('creating an endpoint shows its secret once', async () => {
    const input = { event_types: ['booking.*', 'booking.*'], headers: { 'X-Tenant': 'bali' } }
    const { endpoint, secret, next } = await make(input)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(next).toMatch(new RegExp(`/api/webhooks/${endpoint.id}/verify|\`id\` ${endpoint.id}`))
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

  test('secrets and headers are neither stored nor logged in the clear', async () => {
    const brought = `whsec_${Buffer.alloc(32, 'a secret of ours').toString('base64')}`
    const headers = { authorization: 'Bearer hidden-of-mine' }
    const { endpoint } = await make({ secret: brought, headers, idempotency_key: randomUUID() })
    await call('webhook.rotate', { id: endpoint.id, secret: 'whsec_short-of-mine' })
    for (const table of ['endpoint', 'signing_key', 'idempotency_key', 'event']) {
      const { rows } = await here.doors.db.query(`select t::text as row from ${table} t`)
      for (const { row } of rows) {
        expect(row).not.toContain('hidden-of-mine')
        expect(row).not.toContain(brought.slice(6))
      }
    }
    for (const secret of ['hidden-of-mine', brought.slice(6), 'short-of-mine']) {
      expect(here.doors.logged()).not.toContain(secret)
    }
  })

  test('an idempotency key creates one endpoint and does not show its secret again', async () => {
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

  test('only the text of the challenge, not a guess, verifies the endpoint', async () => {
    const { endpoint } = await make()
    const { id } = endpoint
    const wrong = await call('webhook.verify', { id, challenge: 'guessed' })
    expect(wrong.code).toBe('wrong_challenge')
    const proved = await call('webhook.verify', { id, challenge: await challengeOf(id) })
    expect(proved.body).toMatchObject({
      status: 'verified',
      endpoint: { status: 'active', verified: true, verified_at: expect.any(String) },
    })
    expect(signals()).toEqual(['deliver', 'deliver'])
    const again = await call('webhook.verify', { id })
    expect(again.body).toEqual({ status: 'verified', endpoint: proved.body.endpoint })
  })

  test('a challenge that failed or was not signed is reported with what to do', async () => {
    const { endpoint } = await make()
    const { id } = endpoint
    expect((await call('webhook.verify', { id, wait: 0 })).body).toMatchObject({
      status: 'pending',
      next: expect.stringContaining('verify again'),
    })
    const sent = { id: randomUUID(), http_status: null, failure: 'dns', ms: 3 }
    here.doors.engine.sentNow = { ...sent, status: 'failed' }
    expect((await call('webhook.verify', { id })).body).toMatchObject({
      status: 'not_verified',
      attempt: { status: 'failed', failure: 'dns', http_status: null, ms: 3 },
      next: expect.stringContaining('did not arrive'),
    })
    here.doors.engine.sentNow = { ...sent, status: 'succeeded', http_status: 200, failure: null }
    const { next } = (await call('webhook.verify', { id })).body
    expect(next).toContain('without the signature of the challenge')
  })

  test('a new URL must be verified and holds deliveries; other changes do not', async () => {
    const id = await makeActive()
    await enqueueEvents(id, 2)
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

  test('headers are set and removed one by one, and never shown', async () => {
    const { endpoint } = await make({ headers: { 'X-One': '1', 'x-two': '2' } })
    const { id } = endpoint
    const changed = await call('webhook.update', { id, headers: { 'x-ONE': null, 'x-three': '3' } })
    const redacted = { 'x-three': '[redacted]', 'x-two': '[redacted]' }
    expect(changed.body.endpoint.headers).toEqual(redacted)
    const none = await call('webhook.update', { id, headers: { 'x-two': null, 'x-three': null } })
    expect(none.body.endpoint.headers).toEqual({})
    const { rows } = await here.doors.db.query('select headers from endpoint where id = $1', [id])
    expect(rows[0].headers).toBeNull()
  })

  test('headers are sent only to the origin that they were given for', async () => {
    const { endpoint } = await make({ headers: { authorization: 'Bearer mine', 'x-tenant': '1' } })
    const { id } = endpoint
    const path = await call('webhook.update', { id, url: `${url}/two` })
    expect(Object.keys(path.body.endpoint.headers)).toEqual(['authorization', 'x-tenant'])
    expect(path.body.next).not.toContain('headers')
    const elsewhere = { id, url: 'https://stranger.example/hooks', headers: { 'x-tenant': '2' } }
    const moved = await call('webhook.update', elsewhere)
    expect(moved.body.endpoint.headers).toEqual({ 'x-tenant': '[redacted]' })
    expect(moved.body.next).toContain('The old origin’s headers are removed')
    for (const other of ['https://stranger.example:8443/hooks', 'https://third.example/hooks']) {
      const { body } = await call('webhook.update', { id, url: other })
      expect(body.endpoint.headers).toEqual({})
      await call('webhook.update', { id, headers: { 'x-tenant': '3' } })
    }
    const { rows } = await here.doors.db.query('select headers from endpoint where id = $1', [id])
    const opened = here.doors.sealer.open(rows[0].headers, headersContext(id))
    expect(JSON.parse(opened)).toEqual({ 'x-tenant': '3' })
  })

  test('a test event goes to this endpoint only, whatever its types', async () => {
    const id = await makeActive()
    const other = await makeActive()
    await call('webhook.update', { id, event_types: ['fee.accrued'] })
    const idempotency_key = randomUUID()
    const sent = await call('webhook.test', { id, note: 'hello', idempotency_key })
    const { event_id, delivery_id } = sent.body
    const { rows } = await here.doors.db.query(
      `select d.id, d.endpoint_id, e.type, e.data from delivery d
       join event e on e.account_id = d.account_id and e.number = d.event_number
       where d.endpoint_id = any($1)`,
      [[id, other]],
    )
    const data = { endpoint_id: id, note: 'hello' }
    expect(rows).toEqual([{ id: delivery_id, endpoint_id: id, type: 'endpoint.test', data }])
    const again = await call('webhook.test', { id, note: 'hello', idempotency_key })
    expect(again.body).toMatchObject({ event_id, delivery_id, replayed: true })
    await here.doors.db.query('delete from delivery where id = $1', [delivery_id])
    const late = await call('webhook.test', { id, note: 'hello', idempotency_key })
    expect(late.body).toMatchObject({ event_id, delivery_id: null, replayed: true })
    expect(late.body.next).toContain(event_id)
  })

  test('deleting erases secrets and headers, discards deliveries, emits one event', async () => {
    const id = await makeActive()
    await call('webhook.update', { id, headers: { 'x-a': '1' } })
    await enqueueEvents(id, 2)
    expect((await call('webhook.delete', { id })).body).toEqual({
      id,
      deleted: true,
      discarded: 2,
    })
    expect((await call('webhook.delete', { id })).body).toMatchObject({ deleted: true })
    expect((await call('webhook.get', { id })).code).toBe('endpoint_not_found')
    const left = await here.doors.db.query(
      `select e.headers, d.status,
       (select count(*)::int from signing_key where endpoint_id = e.id) as keys
       from endpoint e join delivery d on d.endpoint_id = e.id where e.id = $1 group by 1, 2, 3`,
      [id],
    )
    expect(left.rows).toEqual([{ headers: null, status: 'discarded', keys: 0 }])
  })

  test('an endpoint of another account can be neither read nor changed', async () => {
    const id = await makeActive()
    const before = (await call('webhook.get', { id })).body
    const stranger = await here.doors.openAccount('pro')
    expect((await call('webhook.list', {}, stranger.key)).body).toEqual({ endpoints: [] })
    const input = { 'webhook.update': { description: 'x' } } as Record<string, object>
    for (const intent of intentsOnOne) {
      const said = await call(intent, { id, ...input[intent] }, stranger.key)
      expect([intent, said.status, said.code]).toEqual([intent, 404, 'endpoint_not_found'])
    }
    expect((await call('webhook.get', { id })).body).toEqual(before)
  })
})

test('REST answers with a Location, and 202 while the challenge is in flight', async () => {
  const post = (path: string, body: object) =>
    fetch(here.doors.url + path, {
      method: 'POST',
      headers: { ...bearer(here.holder.key), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const made = await post('/api/webhooks', { url })
  const { endpoint } = await jsonOf(made)
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/webhooks/${endpoint.id}`])
  expect((await post(`/api/webhooks/${endpoint.id}/verify`, { wait: 0 })).status).toBe(202)
  const bare = await fetch(`${here.doors.url}/api/webhooks/${endpoint.id}`, {
    method: 'DELETE',
    headers: bearer(here.holder.key),
  })
  expect(bare.status).toBe(200)
})

test('an eleventh endpoint is refused, even concurrently, until one is deleted', async () => {
  const { call } = here.at('A2A')
  const made = await Promise.all(Array.from({ length: 15 }, () => call('webhook.create', { url })))
  expect(made.filter(({ code }) => code === 'ok')).toHaveLength(10)
  expect(made.filter(({ code }) => code === 'endpoint_limit')).toHaveLength(5)
  const [first] = made.filter(({ code }) => code === 'ok')
  await call('webhook.delete', { id: first?.body.endpoint.id })
  expect((await call('webhook.create', { url })).code).toBe('ok')
})

test('an endpoint can be changed while Temporal is down', async () => {
  const { call } = here.at('REST')
  here.doors.engine.isDown = true
  try {
    const { endpoint } = (await call('webhook.create', { url })).body
    expect((await call('webhook.delete', { id: endpoint.id })).code).toBe('ok')
  } finally {
    here.doors.engine.isDown = false
  }
})
