import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../src/network.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { messageOf, officialClients, postMessage } from '../support/mcp-streamable.ts'
import {
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'

let doors: Doors
let free: Holder
let pro: Holder

beforeAll(async () => {
  doors = await openDoors()
  free = await doors.openAccount('free')
  pro = await doors.openAccount('pro')
})
afterAll(() => doors.close())

const signUp = 'http://127.0.0.1:3000/sign-up'
const callMessage = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
})
const mcp = (message: unknown, headers: Record<string, string> = {}, query = '') =>
  postMessage(`${doors.url}/mcp${query}`, message, { ...bearer(pro.key), ...headers })

test.each([
  [
    'Basic YTpi',
    'The header `Authorization` holds neither an API key nor an access token from here.',
  ],
  [
    `Bearer service_live_${'x'.repeat(43)}`,
    'This API key or access token is unknown, revoked or expired.',
  ],
])('a key that is not valid is told why: %s', async (authorization, why) => {
  const headers = { authorization }
  const rest = await jsonOf(await fetch(`${doors.url}/api/bookings`, { headers }))
  expect([rest.sign_up, rest.detail]).toEqual([signUp, expect.stringContaining(why)])
  const { error } = await messageOf(await postMessage(`${doors.url}/mcp`, {}, headers))
  expect([error.data.sign_up, error.message]).toEqual([signUp, expect.stringContaining(why)])
})

test('without a key, the times of a venue are free to read at MCP, as its search is', async () => {
  const { rows } = await doors.db.query('select slug from venue where not is_test limit 1')
  const call = callMessage('check_availability', { venue: rows[0].slug })
  const { result } = await messageOf(await postMessage(`${doors.url}/mcp`, call))
  expect(result.isError).toBeUndefined()
})

test('a scope that a key lacks is had in the dashboard only, which is named', async () => {
  const { key, keyId } = await doors.openAccount('free')
  await doors.db.query(`update api_key set scopes = '{}' where id = $1`, [keyId])
  const response = await fetch(`${doors.url}/api/keys`, { headers: bearer(key) })
  const said = await jsonOf(response)
  const create_at = 'http://127.0.0.1:3000/dashboard/keys'
  expect(said).toMatchObject({ code: 'scope_required', required_scope: 'keys', create_at })
  expect(said.detail).not.toMatch(/\bif\b/i)
})

test('a slug with a typo is answered with the nearest venues, at every door', async () => {
  const { rows } = await doors.db.query('select slug from venue where not is_test order by slug')
  for (const { slug } of rows.filter((_, index) => index % 40 === 3)) {
    const typed = slug.replace(/(?<=.{4})[aeiou]/, '')
    for (const [, send] of everyDoorTo('venue.availability')) {
      const { code, body, message } = await send(doors, free.key, { slug: typed })
      expect([code, body.nearest]).toEqual(['venue_not_found', expect.arrayContaining([slug])])
      expect(message).toContain(`There is no venue \`${typed}\`. Did you mean`)
    }
  }
  const [rest] = everyDoorTo('venue.get')
  const said = await rest?.[1](doors, free.key, { slug: 'zzzz-qqqq' })
  expect([said?.code, said?.body.nearest]).toEqual(['venue_not_found', undefined])
})

test.each([
  ['POST', '/api/booking', 'POST /api/bookings'],
  ['GET', '/api/search', 'GET /api/venues/search'],
  ['GET', '/api/v1/venues/jepun', 'GET /api/venues/{slug}'],
  ['POST', '/api/reservations', 'POST /api/bookings'],
  ['GET', '/api/bookigns', 'GET /api/bookings'],
  ['POST', '/api/waitlist', 'POST /api/watches'],
  ['POST', '/a2a', 'POST /a2a/v1'],
])('%s %s is answered with %s', async (method, path, route) => {
  const response = await fetch(doors.url + path, { method })
  const said = await jsonOf(response)
  expect([response.status, said.code, said.nearest[0]]).toEqual([404, 'not_found', route])
  expect(said.detail).toContain(`There is no \`${method} ${path}\`. Did you mean \`${route}\`?`)
})

test('JSON-RPC at A2A is told what this address takes, and where MCP is', async () => {
  for (const message of [
    { jsonrpc: '2.0', id: 1, method: 'message/send', params: {} },
    { jsonrpc: '2.0', id: '1', method: 'SendMessage' },
    { method: 'tools/list' },
  ]) {
    const { status, body } = await postEnvelope(doors.url, free.key, message)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error).toMatchObject({
      example: { intent: 'booking.search', payload: { query: 'sushi in Canggu' } },
      mcp: 'http://127.0.0.1:3000/mcp',
    })
    expect(body.error.message).toContain('does not take JSON-RPC but an envelope: {"intent"')
  }
})

test('an envelope at MCP is told where envelopes go', async () => {
  const { error } = await messageOf(await mcp({ intent: 'booking.search', payload: {} }))
  expect([error.code, error.data.errors[0].pointer]).toEqual([-32600, '/jsonrpc'])
  expect(error.message).toContain('goes to http://127.0.0.1:3000/a2a/v1.')
})

test('an envelope may have more fields, null and JSON text, and says what it ignored', async () => {
  const more = { id: 'm-1', timestamp: '2026-11-28T04:00:00Z', to: 'bookings', ttl_ms: 5 }
  const { body } = await postEnvelope(doors.url, free.key, {
    intent: 'booking.search',
    payload: JSON.stringify({ query: 'spa in ubud', limit: '2.0', date: '', party_size: null }),
    ...{ metadata: null, protocol: null, from: '', agent_context: { a: 1 }, ...more },
  })
  expect(body.payload.venues).toHaveLength(2)
  expect(body.meta.ignored).toEqual(['agent_context', 'id', 'timestamp', 'to', 'ttl_ms'])
  for (const payload of [null, '', undefined]) {
    const plain = await postEnvelope(doors.url, free.key, { intent: 'network.ping', payload })
    expect([plain.status, plain.body.meta.ignored]).toEqual([200, undefined])
  }
  const refused = await postEnvelope(doors.url, null, { intent: 'nothing', to: 'x' })
  expect([refused.status, refused.body.meta.ignored]).toEqual([400, ['to']])
})

test.each([
  ['booking.list', undefined, { params: { status: 'failed' } }],
  ['booking.list', null, { status: 'failed' }],
  ['booking.list', '{}', { input: '{}' }],
  ['booking.amend', { id: randomUUID(), party_size: 3 }, { dry_run: true }],
  ['booking.confirm', { hold_id: randomUUID() }, { idempotencyKey: 'k' }],
  ['fee.list', { limit: 1 }, { month: '2026-11' }],
])('%s of %j, with %j beside it, is told where it goes', async (intent, payload, beside) => {
  const envelope = { intent, payload, to: 'bookings', ...beside }
  const { status, body } = await postEnvelope(doors.url, pro.key, envelope)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  const detail = 'not read here: send the fields of the operation in `payload`'
  expect(body.error.errors).toEqual([{ pointer: `/${Object.keys(beside)[0]}`, detail }])
})

test('the name of a tool is read as the intent that it stands for', async () => {
  const call = async (intent: string, payload: object) =>
    (await postEnvelope(doors.url, pro.key, { intent, payload })).body
  expect((await call('get_account', {})).payload.understood).toEqual({ intent: 'plan.get' })
  const usage = await call('get_account', { action: 'usage', days: 2 })
  expect([usage.payload.days.length, usage.payload.understood.intent]).toEqual([2, 'usage.get'])
  const { error } = await call('get_account', { action: 'nothing' })
  expect(error.code).toBe('unknown_intent')
})

test('arguments of a tool may be null, empty or JSON text', async () => {
  for (const args of [null, '', ' ', {}, '{}', undefined, '{"limit": "20"}', { cursor: '' }]) {
    const { result } = await messageOf(await mcp(callMessage('list_bookings', args)))
    expect([args, result.isError]).toEqual([args, undefined])
  }
  for (const args of ['{"action":"Usage"}', { action: 'usage', days: '2.0' }]) {
    const { result } = await messageOf(await mcp(callMessage('get_account', args)))
    expect(JSON.parse(result.content[0].text)).toHaveProperty('days')
  }
})

test('a slash at the end of an address of the API changes nothing', async () => {
  const headers = { ...bearer(pro.key), 'content-type': 'application/json' }
  const seen = new Set<string>()
  const answerTo = async (method: string, path: string) => {
    const body = method === 'GET' || method === 'DELETE' ? null : '{}'
    const response = await fetch(doors.url + path, { method, headers, body, redirect: 'error' })
    const { code = 'ok' } = response.status === 200 ? {} : await jsonOf(response)
    return [method, response.status, code]
  }
  for (const { rest } of catalogue.filter((_, index) => index % 4 === 1)) {
    const [method = '', route = ''] = rest.route.split(' ')
    const path = route.replaceAll(/\{\w+\}/g, '0197a1f0-0000-7000-8000-000000000000')
    const plain = await answerTo(method, path)
    expect(await answerTo(method, `${path}/`), path).toEqual(plain)
    seen.add(String(plain[1]))
  }
  expect(seen.size).toBeGreaterThan(2)
  const empty = await fetch(`${doors.url}/api/venues/search/?q=spa+ubud&limit=&cursor=`, {
    headers,
  })
  expect([empty.status, (await jsonOf(empty)).venues.length]).toEqual([200, 2])
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await postMessage(`${doors.url}/mcp/`, list)).status).toBe(200)
  const card = await fetch(`${doors.url}/.well-known/agent.json/`, { redirect: 'error' })
  expect((await jsonOf(card)).endpoints.a2a).toContain('/a2a/v1')
})

test.each([
  ['application/json', 200, 'application/json'],
  ['application/json;q=0.9, text/plain', 200, 'application/json'],
  ['APPLICATION/*', 200, 'application/json'],
  ['text/event-stream, application/json', 200, 'text/event-stream'],
  ['text/event-stream;q=0.5 , application/json;charset=utf-8', 200, 'application/json'],
  ['text/event-stream', 200, 'text/event-stream'],
  ['*/*', 200, 'text/event-stream'],
  ['text/html', 406, 'application/json'],
  ['application/json;q=0, text/html', 406, 'application/json'],
])('a client of /mcp that accepts %s is answered %i in %s', async (accept, status, type) => {
  const message = callMessage('list_venues', { limit: 1 })
  const response = await mcp(message, { accept })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    expect.stringContaining(type),
  ])
  if (status === 200) expect((await messageOf(response)).result.content).toHaveLength(1)
})

test('initialize goes on without capabilities, and names what else is missing', async () => {
  const params = { protocolVersion: '2025-06-18', clientInfo: { name: 'curl', version: '1' } }
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  for (const more of [{}, { capabilities: null }]) {
    const { result } = await messageOf(await mcp({ ...initialize, params: { ...params, ...more } }))
    expect(result.serverInfo.name).toBe('Venue Network')
  }
  const { error } = await messageOf(await mcp({ ...initialize, params: { protocolVersion: 'x' } }))
  expect([error.code, error.message]).toEqual([
    -32602,
    '/params/clientInfo: required: expected an object of name, title, icons, version, ' +
      'websiteUrl, description. Correct the fields ' +
      'listed in `errors` and send it again.',
  ])
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }
  expect((await messageOf(await mcp(list))).result.tools.length).toBeGreaterThan(10)
})

test('structured content is for clients that ask for it in the address', async () => {
  const call = callMessage('list_venues', { limit: 1 })
  const plain = (await messageOf(await mcp(call))).result
  const structured = (await messageOf(await mcp(call, {}, '?structured=1'))).result
  expect(plain.structuredContent).toBeUndefined()
  expect(structured.structuredContent).toEqual(JSON.parse(plain.content[0].text))
  expect(structured.content).toEqual(plain.content)
  const slug = plain.content[0].text.match(/"slug":"([^"]+)"/)[1]
  for (const open of Object.values(officialClients)) {
    const client = await open(`${doors.url}/mcp?structured=1`, pro.key)
    const { tools } = await client.listTools()
    // The clients check structured content against the schema of the tool.
    const answerTo = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args })
      expect([name, tools.some((one) => one.name === name && 'outputSchema' in one)]).toEqual([
        name,
        true,
      ])
      expect(result, name).toMatchObject({ structuredContent: expect.any(Object) })
    }
    for (const action of ['plan', 'usage', 'fees']) await answerTo('get_account', { action })
    for (const action of ['newest', 'after']) await answerTo('list_events', { action })
    for (const detail of ['compact', 'full']) {
      await answerTo('get_venue', { venue: slug, detail })
      await answerTo('check_availability', { venue: slug, detail })
      await answerTo('search_venues', { query: 'spa in ubud tomorrow', detail, limit: '2' })
    }
    for (const tool of ['list_bookings', 'list_venues']) await answerTo(tool, {})
    await client.close()
  }
})

test('a page of a list fits into a model’s context, and the next one goes on', async () => {
  const names = async (args: Record<string, unknown>) => {
    const { result } = await messageOf(await mcp(callMessage('list_venues', args)))
    const { text } = result.content[0]
    expect(text.length).toBeLessThan(60_000)
    const { venues, next_cursor, understood } = JSON.parse(text)
    return { slugs: venues.map(({ slug }: { slug: string }) => slug), next_cursor, understood }
  }
  const first = await names({ detail: 'full', limit: 50 })
  expect(first.understood.limit).toBe(first.slugs.length)
  const second = await names({ detail: 'full', limit: 50, cursor: first.next_cursor })
  const { slugs } = await names({ limit: 50 })
  const both = [...first.slugs, ...second.slugs]
  expect(both.slice(0, slugs.length)).toEqual(slugs.slice(0, both.length))
})
