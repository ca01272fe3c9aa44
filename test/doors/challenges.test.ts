import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToken, openTokenHolder } from '../support/access-token.ts'
import { messageOf, postMessage } from '../support/mcp-streamable.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import {
  bearer,
  type Doors,
  jsonOf,
  openDoors,
  postEnvelope,
  signIn,
} from '../support/open-doors.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const signUp = 'http://127.0.0.1:3000/sign-up'
const callMessage = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
})

test('a call without a key is told where one comes from, and what works without', async () => {
  const response = await fetch(`${doors.url}/api/webhooks`)
  const rest = await jsonOf(response)
  const envelope = await postEnvelope(doors.url, null, { intent: 'booking.list' })
  const tool = await postMessage(`${doors.url}/mcp`, callMessage('list_bookings', {}))
  const { error } = await messageOf(tool)
  const open = { rest: 'GET /api/venues', a2a: 'agent.list', mcp: 'check_availability' }
  const said = { rest, a2a: envelope.body.error, mcp: error.data }
  const challenges = [response, envelope, tool].map(({ headers }) =>
    headers.get('www-authenticate'),
  )
  expect(challenges).toEqual([
    `Bearer ${signIn('/api', rest.required_scope)}`,
    `Bearer ${signIn('/api')}`,
    `Bearer ${signIn('/mcp')}`,
  ])
  expect([response.status, envelope.status, tool.status]).toEqual([401, 401, 401])
  for (const door of ['rest', 'a2a', 'mcp'] as const) {
    const without_key = expect.arrayContaining([open[door]])
    expect(said[door]).toMatchObject({ code: 'unauthenticated', sign_up: signUp, without_key })
  }
  expect(rest.detail).toBe(
    'An API key or a sign-in is required. Send `Authorization: Bearer <API_KEY>`, which your ' +
      'user gets at `sign_up`, or sign in with OAuth.',
  )
})

test('search at REST and all of A2A ask for a key, and say where to sign up', async () => {
  const search = await fetch(`${doors.url}/api/venues/search?q=sushi`)
  expect(search.headers.get('www-authenticate')).toBe(`Bearer ${signIn('/api')}`)
  expect(await jsonOf(search)).toMatchObject({ status: 401, sign_up: signUp })
  const { status, headers, body } = await postEnvelope(doors.url, null, { intent: 'venue.list' })
  expect(headers.get('www-authenticate')).toBe(`Bearer ${signIn('/api')}`)
  expect([status, body.error.sign_up]).toEqual([401, signUp])
})

test('each tool says whether it needs a sign-in, and with which scopes', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const { result } = await messageOf(await postMessage(`${doors.url}/mcp`, list))
  const schemes = Object.fromEntries(
    result.tools.map((one: any) => [one.name, one.securitySchemes]),
  )
  expect(schemes).toMatchObject({
    search_venues: [{ type: 'noauth' }],
    confirm_booking: [{ type: 'oauth2', scopes: ['bookings'] }],
    get_booking: [{ type: 'oauth2' }],
  })
})

describe('an access token', () => {
  const book = { venue: 'nowhere', slot_time: '2026-12-24T19:00', party_size: 2 }
  const send = (token: string, name = 'confirm_booking', args: unknown = book) =>
    postMessage(`${doors.url}/mcp`, callMessage(name, args), bearer(token))
  const challengeIn = ({ headers }: Response) => headers.get('www-authenticate')
  const codeIn = async (response: Response) => {
    const { result } = await messageOf(response)
    return JSON.parse(result.content[0].text).error.code
  }

  test('books at the door that it is meant for, and at no other', async () => {
    const member = await openTokenHolder(doors, { audience: 'mcp', tier: 'pro' })
    expect(await codeIn(await send(member.token))).toBe('venue_not_found')
    const other = await fetch(`${doors.url}/api/bookings`, { headers: bearer(member.token) })
    expect([other.status, challengeIn(other)]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", .+resource\/api", scope="bookings"$/),
    ])
    const { token } = await addToken(doors, member)
    const bookings = await fetch(`${doors.url}/api/bookings`, { headers: bearer(token) })
    expect(bookings.status).toBe(200)
    expect((await send(token)).status).toBe(401)
  })

  test('that ends between two calls is 401 at once, so that its client refreshes it', async () => {
    const { token, grantId } = await openTokenHolder(doors, { audience: 'mcp', tier: 'pro' })
    expect((await send(token)).status).toBe(200)
    await doors.db.query('update oauth_artifact set expires_at = now() where grant_id = $1', [
      grantId,
    ])
    const refused = await send(token)
    expect([refused.status, challengeIn(refused)]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
    expect((await messageOf(refused)).error.data.code).toBe('unauthenticated')
  })

  test('without a scope is asked to step up, with all the scopes that it needs then', async () => {
    const wish = { scopes: ['usage', 'webhooks'], audience: 'mcp', tier: 'pro' } as const
    const { token, ...member } = await openTokenHolder(doors, wish)
    const refused = await send(token)
    const scope = 'scope="usage webhooks bookings"'
    expect([refused.status, challengeIn(refused)]).toEqual([
      403,
      expect.stringMatching(new RegExp(`^Bearer error="insufficient_scope", .+${scope}$`)),
    ])
    const { error } = await messageOf(refused)
    expect(error.data).toMatchObject({ code: 'scope_required', required_scope: 'bookings' })
    expect(error.message).toMatch(/^This sign-in lacks .+ sign in again and to allow it\.$/)
    expect(error.data.create_at).toBeUndefined()
    const { token: other } = await addToken(doors, member, { scopes: [] })
    const hold = await fetch(`${doors.url}/api/holds`, { method: 'POST', headers: bearer(other) })
    expect([hold.status, challengeIn(hold)]).toEqual([
      403,
      expect.stringContaining('scope="bookings"'),
    ])
    // Nobody can allow a program to create keys, so there is nothing to sign in for.
    const keys = await fetch(`${doors.url}/api/keys`, { headers: bearer(other) })
    expect([keys.status, challengeIn(keys)]).toEqual([403, null])
    expect(await jsonOf(keys)).toMatchObject({ create_at: expect.stringContaining('/dashboard') })
  })

  test('says in the result what is missing at HTTP+SSE, where there is no status', async () => {
    const { token } = await openTokenHolder(doors, { scopes: [], audience: 'mcp', tier: 'pro' })
    await using client = await openMcpClient(doors.url, token)
    const { _meta } = await client.callTool({ name: 'confirm_booking', arguments: book })
    expect(_meta).toEqual({
      'mcp/www_authenticate': [expect.stringContaining('error="insufficient_scope"')],
    })
  })
})

test('a key that lacks a scope is told in the result, and starts no sign-in', async () => {
  const { key, keyId } = await doors.openAccount('pro')
  const call = () =>
    postMessage(`${doors.url}/mcp`, callMessage('confirm_booking', {}), bearer(key))
  await doors.db.query(`update api_key set scopes = '{}' where id = $1`, [keyId])
  const refused = await call()
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([200, null])
})
