import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import {
  findOrCreateSandbox,
  insertSandbox,
  selectSandboxes,
} from '../../src/sandbox/store/sandboxes.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { addTestKey, testSlot } from '../support/sandbox.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ TEST_REQUESTS_PER_DAY: '500' })
})
afterAll(() => doors?.close())

const at = new Date()
const call = async (key: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(doors.url + path, {
    method,
    headers: { ...bearer(key), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await jsonOf(response) }
}

async function openLive() {
  const live = await doors.openAccount('free')
  await doors.db.query(`update api_key set scopes = '{bookings,keys,webhooks,agents,usage}'`)
  return live
}

test('an account has one default sandbox, and each clock has another', async () => {
  const id = randomUUIDv7()
  await insertAccount(doors.db, { id, name: 'ayu', tier: 'free', at })
  const open = () => transaction(doors.db, (tx) => findOrCreateSandbox(tx, id, at))
  const [one, other] = await Promise.all([open(), open()])
  expect(one).toBe(other)
  const clock = await transaction(doors.db, (tx) =>
    insertSandbox(tx, { liveAccountId: id, kind: 'clock', at }),
  )
  expect(await selectSandboxes(doors.db, id)).toEqual([one, clock])
  await expect(insertSandbox(doors.db, { liveAccountId: id, kind: 'default', at })).rejects.toThrow(
    'account_default_sandbox',
  )
})

test('a live key creates, lists, rolls and revokes test keys', async () => {
  const live = await openLive()
  const made = await call(live.key, 'POST', '/api/keys', { name: 'try', mode: 'test' })
  expect(made.status).toBe(201)
  expect(made.body.raw_key).toMatch(/^service_test_[\w-]{43}$/)
  expect(made.body.key).toMatchObject({ mode: 'test', status: 'active' })
  const { body } = await call(live.key, 'GET', '/api/keys')
  expect(body.keys.map(({ mode }: any) => mode)).toEqual(['test', 'live'])
  const rolled = await call(live.key, 'POST', `/api/keys/${made.body.key.id}/roll`, {})
  expect(rolled.body.raw_key).toMatch(/^service_test_/)
  const path = `/api/keys/${rolled.body.key.id}/revoke`
  expect((await call(live.key, 'POST', path, {})).body.key.status).toBe('revoked')
  expect((await call(rolled.body.raw_key, 'GET', '/api/bookings')).status).toBe(401)
})

test('a test key creates test keys only, and sees no keys of its live account', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  const refused = await call(key, 'POST', '/api/keys', { name: 'up', mode: 'live' })
  expect(refused).toMatchObject({ status: 403, body: { code: 'live_key_required' } })
  expect((await call(key, 'POST', '/api/keys', { name: 'side' })).body.key.mode).toBe('test')
  const { body } = await call(key, 'GET', '/api/keys')
  expect(body.keys.map(({ mode }: any) => mode)).toEqual(['test', 'test'])
  expect((await call(key, 'GET', `/api/keys/${live.keyId}`)).body.code).toBe('key_not_found')
})

test('a free account can book in its sandbox, and only there', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  const { body } = await call(key, 'POST', '/api/bookings', {
    ...testSlot('sandbox-table'),
    wait: 0,
  })
  expect(body).toMatchObject({ status: 'pending', booking: { venue: { slug: 'sandbox-table' } } })
  const slot = testSlot('satu-meja')
  expect((await call(live.key, 'POST', '/api/bookings', slot)).body.code).toBe('plan_required')
})

test('each mode finds only its own venues, and the refusal says why', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  const found = await call(key, 'GET', '/api/venues/search?q=spa&limit=50')
  const slugs = found.body.venues.map(({ slug }: any) => slug)
  expect(slugs.toSorted()).toEqual(['sandbox-slow', 'sandbox-spa'])
  const listed = await call(key, 'GET', '/api/venues?limit=50')
  expect(listed.body.venues).toHaveLength(12)
  const everywhere = await call(live.key, 'GET', '/api/venues/search?q=sandbox&limit=50')
  expect(JSON.stringify(everywhere.body)).not.toContain('sandbox-')
  const missed = await call(key, 'GET', '/api/venues/satu-meja')
  expect(missed).toMatchObject({ status: 404, body: { code: 'venue_not_found', mode: 'test' } })
  expect(missed.body.detail).toContain('test key')
  const other = await call(live.key, 'GET', '/api/venues/sandbox-table')
  expect(other).toMatchObject({ status: 404, body: { code: 'venue_not_found', mode: 'live' } })
})

test('the database keeps a booking of a sandbox from a live venue', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  await call(key, 'POST', '/api/bookings', { ...testSlot('sandbox-bar'), wait: 0 })
  const { rows } = await doors.db.query(`select pg_get_triggerdef(oid) as definition
    from pg_trigger where tgname = 'booking_test_apart'`)
  expect(rows[0].definition).toContain('BEFORE INSERT ON public.booking')
})

test('a suspended account is suspended in its sandbox too', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  await doors.db.query(
    'update account set suspended_at = now(), suspended_reason = $2 where id = $1',
    [live.accountId, 'unpaid'],
  )
  const { status, body } = await call(key, 'GET', '/api/bookings')
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'account_suspended' })
})

test('a sandbox has a daily quota of its own', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  const response = await fetch(`${doors.url}/api/bookings`, { headers: bearer(key) })
  expect(response.headers.get('ratelimit')).toContain('"day";r=499')
})

test('the feed and the registry of agents exist in live mode only', async () => {
  const live = await openLive()
  const { key } = await addTestKey(doors.db, live.accountId)
  expect((await call(key, 'GET', '/api/feed')).body.code).toBe('live_key_required')
  const agent = { name: 'tester', description: 'x' }
  expect((await call(key, 'POST', '/api/agents', agent)).body.code).toBe('live_key_required')
})
