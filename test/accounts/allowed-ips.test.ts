import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInside, networkOf } from '../../src/accounts/rules/allowed-ips.ts'
import { openBrowser } from '../support/developers.ts'
import { everyDoor } from '../support/every-door.ts'
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

const allow = (id: string, networks: string[]) =>
  doors.db.query('update api_key set allowed_ips = $2::text[]::cidr[] where id = $1', [
    id,
    networks,
  ])

/** How often the request log says that a key was refused for where it was used. */
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
    // The second call finds a key that is known already.
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
])('at MCP (%s %s) too', async (method, path) => {
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

test('a change of the list applies to the next request, whatever is cached', async () => {
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
  expect([bad.status, bad.html.includes('expected an IP address')]).toEqual([400, true])
  await browser.post(`${path}/addresses`, { ips: '203.0.113.9/24, 2001:db8::1' })
  expect((await browser.get(path)).html).toContain('203.0.113.0/24, 2001:db8::1')
  const refused = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([403, 'address_not_allowed'])
  await browser.post(`${path}/addresses`, { ips: '' })
  expect((await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status).toBe(200)
})

test('the successor of a key has its list', async () => {
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
