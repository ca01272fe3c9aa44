import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../src/base/scopes.ts'
import { openBrowser, openMember } from '../support/developers.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>

const callsWith =
  (key: string): Call =>
  async (method, path, body) => {
    const response = await fetch(doors.url + path, {
      method,
      headers: {
        ...bearer(key),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await jsonOf(response) }
  }

/** A key that a member made with these terms, and functions that call with it. */
async function keyWith(terms: { scopes: Scope[]; allowed_ips?: string[]; expires_at?: string }) {
  const { accountId } = await openBrowser(doors, { tier: 'pro' })
  const { key, keyId } = await doors.openAccount('pro')
  await doors.db.query(
    `update api_key set account_id = $2, scopes = $3, allowed_ips = $4::text[]::cidr[],
       expires_at = $5 where id = $1`,
    [keyId, accountId, terms.scopes, terms.allowed_ips ?? [], terms.expires_at ?? null],
  )
  return { id: keyId, accountId, call: callsWith(key) }
}

const ends = '2027-12-01T00:00:00Z'
const local = ['127.0.0.0/24', '::1']

describe('what a key creates has no more rights than the key', () => {
  test('a test clock’s key has the same scopes, addresses and expiry', async () => {
    const { id, call } = await keyWith({
      scopes: ['bookings'],
      allowed_ips: local,
      expires_at: ends,
    })
    const made = await call('POST', '/api/test_clocks', {})
    expect(made.status).toBe(201)
    const { rows } = await doors.db.query(
      `select scopes, allowed_ips::text[] as ips, expires_at, made_by from api_key
       where account_id = $1`,
      [made.body.test_clock.id],
    )
    const allowed = ['127.0.0.0/24', '::1/128']
    expect(rows).toEqual([
      { scopes: ['bookings'], ips: allowed, expires_at: new Date(ends), made_by: id },
    ])
    const clock = callsWith(made.body.raw_key)
    expect(await clock('GET', '/api/keys')).toMatchObject({ status: 403 })
    expect((await clock('POST', '/api/webhooks', { url: 'https://a.example' })).status).toBe(403)
  })

  test('a key created without terms has those of its creator', async () => {
    const { id, call } = await keyWith({ scopes: ['keys'], allowed_ips: local, expires_at: ends })
    const { body } = await call('POST', '/api/keys', { name: 'a' })
    expect(body.key).toMatchObject({ allowed_ips: local, scopes: [], made_by: id })
    expect(Date.parse(body.key.expires_at)).toBe(Date.parse(ends))
  })

  test.each([
    ['addresses elsewhere', { allowed_ips: ['10.0.0.1'] }, '/allowed_ips'],
    ['a wider network', { allowed_ips: ['127.0.0.0/8'] }, '/allowed_ips'],
    ['one of two networks', { allowed_ips: ['127.0.0.1', '10.0.0.0/8'] }, '/allowed_ips'],
    ['everywhere', { allowed_ips: ['0.0.0.0/0'] }, '/allowed_ips'],
    ['a later end', { expires_at: '2028-01-01T00:00:00Z' }, '/expires_at'],
  ])('a key with %s is refused', async (_, terms, pointer) => {
    const { call } = await keyWith({ scopes: ['keys'], allowed_ips: local, expires_at: ends })
    const { status, body } = await call('POST', '/api/keys', { name: 'a', ...terms })
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
  })

  test('a narrower key can be created', async () => {
    const { call } = await keyWith({ scopes: ['keys'], allowed_ips: local, expires_at: ends })
    const terms = { allowed_ips: ['127.0.0.0/30'], expires_at: '2027-06-01T00:00:00.000Z' }
    expect((await call('POST', '/api/keys', { name: 'a', ...terms })).body.key).toMatchObject(terms)
  })

  test('a key cannot widen itself, or another key beyond its own rights', async () => {
    const { id, call } = await keyWith({ scopes: ['keys'], allowed_ips: local, expires_at: ends })
    const { body } = await call('POST', '/api/keys', { name: 'a' })
    for (const one of [id, body.key.id]) {
      for (const allowed_ips of [[], ['0.0.0.0/0'], ['127.0.0.1', '10.0.0.1']]) {
        expect((await call('PATCH', `/api/keys/${one}`, { allowed_ips })).status).toBe(400)
      }
    }
    expect((await call('PATCH', `/api/keys/${id}`, { allowed_ips: ['127.0.0.1'] })).status).toBe(
      200,
    )
  })

  test('a rolled key expires no later than the key that rolls it', async () => {
    const { id, accountId, call } = await keyWith({ scopes: ['keys'], expires_at: ends })
    await doors.db.query(`update api_key set created_at = '2020-01-01' where account_id = $1`, [
      accountId,
    ])
    const later = await call('POST', `/api/keys/${id}/roll`, { expires_at: '2028-01-01T00:00:00Z' })
    expect([later.status, later.body.errors?.[0]?.pointer]).toEqual([400, '/expires_at'])
    const { body } = await call('POST', `/api/keys/${id}/roll`, {})
    expect(Date.parse(body.key.expires_at)).toBe(Date.parse(ends))
    expect(body.key.made_by).toBe(id)
  })

  test('a key bound to addresses cannot roll a key that is usable from anywhere', async () => {
    const { call, accountId } = await keyWith({ scopes: ['keys'], allowed_ips: local })
    const { keyId } = await doors.openAccount('pro')
    await doors.db.query('update api_key set account_id = $2, scopes = $3 where id = $1', [
      keyId,
      accountId,
      [],
    ])
    expect((await call('POST', `/api/keys/${keyId}/roll`, {})).status).toBe(400)
  })
})

describe('revoking a key', () => {
  test('revokes all that it created, directly or not, and says so', async () => {
    const { id, accountId, call } = await keyWith({ scopes: ['bookings', 'keys'] })
    const child = await call('POST', '/api/keys', { name: 'child', scopes: ['bookings', 'keys'] })
    const clock = await callsWith(child.body.raw_key)('POST', '/api/test_clocks', {})
    const next = await callsWith(clock.body.raw_key)('POST', '/api/test_clocks', {})
    const inClock = await callsWith(next.body.raw_key)('POST', '/api/keys', { name: 'deep' })
    const rolled = await callsWith(child.body.raw_key)('POST', `/api/keys/${id}/roll`, {})
    const { rows } = await doors.db.query(
      `select id from api_key where id <> $1 and (account_id = $2 or account_id in
         (select id from account where live_account_id = $2))`,
      [id, accountId],
    )
    const { keyId: other } = await doors.openAccount('pro')
    await doors.db.query('update api_key set account_id = $2 where id = $1', [other, accountId])

    const { body } = await call('POST', `/api/keys/${id}/revoke`)
    expect(body.also_revoked.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    expect(rows).toHaveLength(5)
    for (const raw of [child, clock, next, inClock, rolled].map(({ body }) => body.raw_key)) {
      expect((await callsWith(raw)('GET', '/api/ping')).status).toBe(401)
    }
    const left = await doors.db.query(
      'select id from api_key where account_id = $1 and revoked_at is null',
      [accountId],
    )
    expect(left.rows).toEqual([{ id: other }])
    const entry = await doors.db.query(
      `select details from audit_entry where account_id = $1 and action = 'key.revoked'`,
      [accountId],
    )
    expect(entry.rows[0].details.also_revoked).toHaveLength(5)
  })

  test('leaves no key behind that is being created in the meantime', async () => {
    const { id, call } = await keyWith({ scopes: ['bookings', 'keys'] })
    const client = await doors.db.connect()
    try {
      await client.query('begin')
      await client.query('update api_key set revoked_at = now() where id = $1', [id])
      const making = call('POST', '/api/test_clocks', {})
      await untilWaiting(doors.db, 1)
      await client.query('commit')
      expect((await making).status).toBe(401)
    } finally {
      client.release()
    }
  })

  test('on a page first says which other keys it would revoke', async () => {
    const { id, accountId, call } = await keyWith({ scopes: ['keys'] })
    await call('POST', '/api/keys', { name: 'made by it' })
    const browser = await openMember(doors, accountId, 'owner')
    expect((await browser.get(`/dashboard/keys/${id}/revoke`)).html).toContain('made by it')
    expect((await browser.get('/dashboard/keys')).html).toContain('made by a key')
    const done = await browser.post(`/dashboard/keys/${id}/revoke`)
    const { html } = await browser.get(done.headers.get('location') ?? '')
    expect(html).toContain('along with the keys that it created')
  })
})
