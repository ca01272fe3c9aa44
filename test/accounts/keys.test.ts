import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../../src/base/scopes.ts'
import { type Call, callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import {
  addKey,
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
} from '../support/open-doors.ts'

let doors: Doors
let holder: Holder

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const ping = async (key: string): Promise<number> =>
  (await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status

const give = (keyId: string, given: readonly Scope[]) =>
  doors.db.query('update api_key set scopes = $2 where id = $1', [keyId, given])

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const keyWith = async (given: readonly Scope[], { accountId } = holder) => {
  const added = await addKey(doors.db, accountId)
  await give(added.keyId, given)
  return added
}

beforeEach(async () => {
  holder = await doors.openAccount('pro')
  await give(holder.keyId, scopes)
})

describe.each(webhookDoors)('at %s', (door) => {
  const call: Call = callsAt(
    door,
    () => doors,
    () => holder,
  )

  test('a key is created, shown once, used, listed, renamed and revoked', async () => {
    const made = await call('key.create', { name: 'till', scopes: ['usage', 'webhooks'] })
    const { key, raw_key } = made.body
    expect(raw_key).toMatch(/^service_live_[\w-]{43}$/)
    expect(key).toMatchObject({
      name: 'till',
      scopes: ['webhooks', 'usage'],
      status: 'active',
      ends_in: raw_key.slice(-4),
      expires_at: null,
      last_used: null,
    })
    expect(await ping(raw_key)).toBe(200)
    const renamed = await call('key.update', { id: key.id, name: 'till 2' })
    expect(renamed.body.key.name).toBe('till 2')
    const { body } = await call('key.list')
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual([key.id, holder.keyId])
    expect(JSON.stringify(body)).not.toContain(raw_key)
    for (let times = 0; times < 2; times += 1) {
      const revoked = await call('key.revoke', { id: key.id })
      expect(revoked.body.key).toMatchObject({ status: 'revoked' })
    }
    expect(await ping(raw_key)).toBe(401)
    expect((await call('key.get', { id: key.id })).body.key.status).toBe('revoked')
  })

  test('a key without scopes gets the default ones that its creator has', async () => {
    const { body } = await call('key.create', { name: 'a' })
    expect(body.key.scopes).toEqual(['bookings', 'webhooks', 'agents', 'usage'])
    const { key: narrow } = await keyWith(['keys', 'usage'])
    const { body: less } = await call('key.create', { name: 'b' }, narrow)
    expect(less.key.scopes).toEqual(['usage'])
  })

  test('an idempotency key returns the same key, without its secret', async () => {
    const asked = { name: 'once', idempotency_key: randomUUID() }
    const first = await call('key.create', asked)
    const second = await call('key.create', asked)
    expect(second.body).toEqual({ key: first.body.key, replayed: true })
    const other = await call('key.create', { ...asked, name: 'another' })
    expect(other.code).toBe('idempotency_mismatch')
    expect((await call('key.list')).body.keys).toHaveLength(2)
  })

  test('an expired key is refused like one that never existed', async () => {
    const { body } = await call('key.create', { name: 'short', expires_at: inHours(1) })
    expect(await ping(body.raw_key)).toBe(200)
    await doors.db.query(`update api_key set expires_at = now() - interval '1 s' where id = $1`, [
      body.key.id,
    ])
    expect(await ping(body.raw_key)).toBe(401)
    expect((await call('key.get', { id: body.key.id })).body.key.status).toBe('expired')
    expect((await call('key.roll', { id: body.key.id })).code).toBe('key_ended')
  })

  test('a rolled key and its successor are both valid during the overlap', async () => {
    const { body: made } = await call('key.create', { name: 'agent', scopes: ['webhooks'] })
    const rolled = await call('key.roll', { id: made.key.id, overlap_hours: 2 })
    const { key, raw_key, previous } = rolled.body
    expect(key).toMatchObject({ name: 'agent', scopes: ['webhooks'], status: 'active' })
    expect(previous).toMatchObject({ id: made.key.id, status: 'rolled', replaced_by: key.id })
    const hours = (Date.parse(previous.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(hours).toBeLessThanOrEqual(2)
    expect(await ping(made.raw_key)).toBe(200)
    expect(await ping(raw_key)).toBe(200)
    const again = await call('key.roll', { id: made.key.id })
    expect([again.code, again.body.replaced_by]).toEqual(['key_replaced', key.id])
  })

  test('without an overlap the old key expires at once', async () => {
    const { body: made } = await call('key.create', { name: 'leaked' })
    const { body } = await call('key.roll', { id: made.key.id, overlap_hours: 0 })
    expect(body.previous.status).toBe('expired')
    expect(await ping(made.raw_key)).toBe(401)
    expect(await ping(body.raw_key)).toBe(200)
  })

  test('rolling never extends an expiring key; its successor has the full lifetime', async () => {
    const { body: made } = await call('key.create', { name: 'a week', expires_at: inHours(168) })
    await doors.db.query(
      `update api_key set created_at = created_at - interval '167 hours',
         expires_at = expires_at - interval '167 hours' where id = $1`,
      [made.key.id],
    )
    const { body } = await call('key.roll', { id: made.key.id, overlap_hours: 24 })
    expect(Date.parse(body.previous.expires_at)).toBeLessThan(Date.now() + 3_600_000)
    const life = Date.parse(body.key.expires_at) - Date.parse(body.key.created_at)
    expect(Math.round(life / 3_600_000)).toBe(168)
  })

  test('rolling twice with one idempotency key creates one successor', async () => {
    const asked = { id: holder.keyId, idempotency_key: randomUUID() }
    const first = await call('key.roll', asked)
    const second = await call('key.roll', asked)
    expect(second.body).toMatchObject({ key: { id: first.body.key.id }, replayed: true })
    expect(second.body.raw_key).toBeUndefined()
  })

  test('a key can grant only scopes that it has', async () => {
    const { key: narrow } = await keyWith(['keys'])
    const { keyId: wide } = await keyWith(['webhooks', 'usage'])
    const made = await call('key.create', { name: 'x', scopes: ['keys', 'usage'] }, narrow)
    expect(made).toMatchObject({ code: 'scope_required', body: { required_scope: 'usage' } })
    const rolled = await call('key.roll', { id: wide }, narrow)
    expect(rolled).toMatchObject({
      code: 'scope_required',
      body: { missing_scopes: ['webhooks', 'usage'] },
    })
    expect((await call('key.create', { name: 'x', scopes: ['keys'] }, narrow)).code).toBe('ok')
  })

  test('the keys of another account are not found', async () => {
    const other = await doors.openAccount('pro')
    for (const intent of ['key.get', 'key.update', 'key.roll', 'key.revoke']) {
      const input = { id: other.keyId, ...(intent === 'key.update' && { name: 'mine' }) }
      expect([intent, (await call(intent, input)).code]).toEqual([intent, 'key_not_found'])
    }
    expect(await ping(other.key)).toBe(200)
    expect((await call('key.list')).body.keys).toHaveLength(1)
  })

  test.each([
    ['no name', { name: undefined }, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, '/name'],
    ['a name with terminal control characters', { name: 'a\u001b[2J' }, '/name'],
    ['an unknown scope', { scopes: ['booking'] }, '/scopes/0'],
    ['a scope that does not exist', { scopes: 'owner' }, '/scopes/0'],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    ['an expiry without an offset', { expires_at: '2030-01-01T00:00:00' }, '/expires_at'],
    ['an unknown field', { tier: 'pro' }, '/tier'],
  ])('%s creates no key', async (_, wrong, pointer) => {
    const said = await call('key.create', { name: 'x', ...wrong })
    expect(said).toMatchObject({ code: 'invalid_request', body: { errors: [{ pointer }] } })
    expect((await call('key.list')).body.keys).toHaveLength(1)
  })

  test.each([-1, 169, 1.5, 'a day'])('an overlap of %s hours is refused', async (overlap_hours) => {
    const said = await call('key.roll', { id: holder.keyId, overlap_hours })
    expect(said.code).toBe('invalid_request')
  })
})

test('concurrent creations give an account at most a hundred valid keys', async () => {
  const rows = Array.from({ length: 97 }, () => addKey(doors.db, holder.accountId))
  await Promise.all(rows)
  const call = callsAt(
    'REST',
    () => doors,
    () => holder,
  )
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => call('key.create', { name: `key ${n}` })),
  )
  expect(made.filter(({ code }) => code === 'ok')).toHaveLength(2)
  expect(made.filter(({ code }) => code === 'key_limit')).toHaveLength(6)
})

test('of concurrent rolls of a key, only one creates its successor', async () => {
  const call = callsAt(
    'REST',
    () => doors,
    () => holder,
  )
  const { keyId } = await addKey(doors.db, holder.accountId)
  const rolls = await Promise.all(
    Array.from({ length: 6 }, () => call('key.roll', { id: keyId, overlap_hours: 1 })),
  )
  expect(rolls.map(({ code }) => code).sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'key_replaced'),
    'ok',
  ])
  expect((await call('key.list')).body.keys).toHaveLength(3)
})

test('a list of keys continues after the previous page', async () => {
  for (let n = 0; n < 4; n += 1) await addKey(doors.db, holder.accountId)
  const read = async (query: string) =>
    jsonOf(await fetch(`${doors.url}/api/keys?limit=2${query}`, { headers: bearer(holder.key) }))
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { keys, next_cursor }: any = await read(cursor && `&cursor=${cursor}`)
    seen.push(...keys.map(({ id }: { id: string }) => id))
    cursor = next_cursor
  }
  expect(new Set(seen).size).toBe(5)
  expect(await read('&cursor=nonsense')).toMatchObject({ code: 'invalid_cursor' })
})
