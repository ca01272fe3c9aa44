import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInside, networkOf } from '../../src/accounts/rules/allowed-ips.ts'
import { openBrowser } from '../support/developers.ts'
import { everyDoor, type Send } from '../support/every-door.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.9/24', '203.0.113.0/24'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['203.0.113', undefined],
  ['203.0.113.7/33', undefined],
  ['203.0.113.7/24/8', undefined],
  ['fe80::1%eth0', undefined],
  ['example.com', undefined],
  ['', undefined],
])('the network %s is stored as %s', (text, stored) => {
  expect(networkOf(text)).toBe(stored)
})

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.7', ['203.0.113.7/32'], true],
  ['2001:db8::7', ['203.0.113.0/24', '2001:db8::/32'], true],
  ['2001:db9::7', ['2001:db8::/32'], false],
  ['203.0.113.7', ['::/0'], false],
  ['no address', ['0.0.0.0/0'], false],
])('%s in %s: %s', (address, networks, inside) => {
  expect(isInside(address, networks)).toBe(inside)
})

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const allow = (id: string, networks: string[], at = doors) =>
  at.db.query('update api_key set allowed_ips = $2::text[]::cidr[] where id = $1', [id, networks])

/** The requests that the account has used today. */
async function usedBy({ db }: Doors, accountId: string): Promise<number> {
  const { rows } = await db.query('select used from quota_day where account_id = $1', [accountId])
  return rows[0]?.used ?? 0
}

/** The logged refusals of a key that was used from another address. */
async function refusedWith(keyId: string): Promise<{ calls: number } | undefined> {
  const { rows } = await doors.db.query(
    `select sum(calls)::int as calls from request_log
     where key_id = $1 and code = 'address_not_allowed'`,
    [keyId],
  )
  return rows[0]
}

describe.each(everyDoor.filter(([name]) => name !== 'MCP'))('at %s', (_, send) => {
  test('a key is refused from an address that is not on its list', async () => {
    const { key, keyId } = await doors.openAccount('pro')
    await allow(keyId, ['203.0.113.0/24'])
    // The key is already cached on the second call.
    for (const _ of [1, 2]) {
      const said = await send(doors, key, {})
      expect(said).toMatchObject({ code: 'address_not_allowed', body: { address: '127.0.0.1' } })
      expect(said.message).toContain('may not be used from 127.0.0.1')
    }
    await expect
      .poll(async () => (await refusedWith(keyId))?.calls ?? 0, { timeout: 10_000 })
      .toBe(2)
    await allow(keyId, ['203.0.113.0/24', '127.0.0.0/8'])
    expect((await send(doors, key, {})).code).toBe('invalid_request')
  })
})

test.each([
  ['POST', '/mcp'],
  ['GET', '/mcp/sse'],
])('a key is refused from another address at MCP too (%s %s)', async (method, path) => {
  const { key, keyId } = await doors.openAccount('pro')
  await allow(keyId, ['203.0.113.0/24'])
  const response = await fetch(doors.url + path, {
    method,
    headers: {
      ...bearer(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: method === 'GET' ? null : '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('may not be used from 127.0.0.1'),
  ])
})

/** Calls the MCP tool with a client that needs no session. */
const callTool: Send = async ({ url }, key) => {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...(key && bearer(key)),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'confirm_booking', arguments: {} },
    }),
  })
  const message = await response.text()
  const code = /address_not_allowed|invalid_request/.exec(message)?.[0] ?? ''
  return { status: response.status, code, message, body: null }
}

const everySend = everyDoor.map(([name, send]) => [name, name === 'MCP' ? callTool : send] as const)

describe.each(everySend)('of a refused call at %s', (_, send) => {
  const code = async (key: string) => (await send(doors, key, {})).code
  const times = (calls: number, key: string) =>
    Promise.all(Array.from({ length: calls }, () => code(key)))

  test('nothing counts for the account, whether or not the process knows its key', async () => {
    const { accountId, key, keyId } = await doors.openAccount('pro', 5)
    const own = await addKey(doors.db, accountId)
    await allow(keyId, ['203.0.113.0/24'])
    expect(await code(own.key)).toBe('invalid_request')
    for (const _ of ['unknown', 'known']) {
      expect(new Set(await times(10, key))).toEqual(new Set(['address_not_allowed']))
    }
    expect(await usedBy(doors, accountId)).toBe(1)
  })

  test('nothing counts after a change to the list, until calls are permitted again', async () => {
    const { accountId, key, keyId } = await doors.openAccount('pro', 5)
    expect(await code(key)).toBe('invalid_request')
    await allow(keyId, ['203.0.113.0/24'])
    expect(new Set(await times(10, key))).toEqual(new Set(['address_not_allowed']))
    expect(await usedBy(doors, accountId)).toBe(1)
    await allow(keyId, ['203.0.113.0/24', '127.0.0.1'])
    expect([await code(key), await code(key)]).toEqual(['invalid_request', 'invalid_request'])
    expect(await usedBy(doors, accountId)).toBe(3)
  })
})

test('refused calls count for their address, and do not use up the account’s limits', async () => {
  const strict = await openDoors({
    OPEN_REQUESTS_PER_MINUTE: '3',
    REQUESTS_PER_SECOND: '1',
    TRUSTED_PROXIES: '127.0.0.0/8',
  })
  const { accountId, key, keyId } = await strict.openAccount('free')
  await allow(keyId, ['203.0.113.0/24'], strict)
  const pingFrom = async (address: string) => {
    const headers = { ...bearer(key), 'x-forwarded-for': address }
    return (await jsonOf(await fetch(`${strict.url}/api/ping`, { headers }))).code ?? 'ok'
  }
  const codes: string[] = []
  for (let n = 0; n < 6; n += 1) codes.push(await pingFrom('198.51.100.7'))
  expect(codes).toEqual([...Array(3).fill('address_not_allowed'), ...Array(3).fill('rate_limited')])
  expect(await pingFrom('203.0.113.7')).toBe('ok')
  expect(await usedBy(strict, accountId)).toBe(1)
  await strict.close()
})

test('a change to the list applies to the next request, whatever is cached', async () => {
  const { key, keyId } = await doors.openAccount('free')
  const ping = async () => (await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status
  expect([await ping(), await ping()]).toEqual([200, 200])
  await allow(keyId, ['2001:db8::/32'])
  expect(await ping()).toBe(403)
})

test('the dashboard sets the list, and is not locked out by it', async () => {
  const browser = await openBrowser(doors)
  const { key, keyId } = await addKey(doors.db, browser.accountId)
  const path = `/dashboard/keys/${keyId}`
  const bad = await browser.post(`${path}/addresses`, { ips: '203.0.113' })
  expect([bad.status, bad.html.includes('give an IP address')]).toEqual([400, true])
  await browser.post(`${path}/addresses`, { ips: '203.0.113.9/24, 2001:db8::1' })
  expect((await browser.get(path)).html).toContain('203.0.113.0/24, 2001:db8::1')
  const refused = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([403, 'address_not_allowed'])
  await browser.post(`${path}/addresses`, { ips: '' })
  expect((await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status).toBe(200)
})

test('a key’s successor inherits its list', async () => {
  const { accountId, key, keyId } = await doors.openAccount('free')
  await doors.db.query(`update api_key set scopes = '{keys}' where account_id = $1`, [accountId])
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) =>
    jsonOf(await fetch(doors.url + path, { method, headers, body: JSON.stringify(body) }))
  const allowed_ips = ['127.0.0.1', '203.0.113.0/24']
  const { key: changed } = await send('PATCH', `/api/keys/${keyId}`, { allowed_ips })
  expect(changed).toMatchObject({ name: 'test', allowed_ips })
  const rolled = await send('POST', `/api/keys/${keyId}/roll`, {})
  expect(rolled.key.allowed_ips).toEqual(allowed_ips)
})
