import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageOf, postMessage } from '../support/mcp-streamable.ts'
import { type Doors, jsonOf, openDoors, postEnvelope, signIn } from '../support/open-doors.ts'

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
