import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listMessage, pingMessage } from '../support/mcp-stream.ts'
import {
  type AnyClient,
  callOn,
  messageOf,
  modernRequest,
  officialClients,
  postMessage,
} from '../support/mcp-streamable.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { bearer, type Doors, type Holder, openDoors, signIn } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let doors: Doors
let free: Holder

beforeAll(async () => {
  doors = await openDoors()
  free = await doors.openAccount('free')
})
afterAll(() => doors?.close())

const usedBy = async (accountId: string) => {
  const { rows } = await doors.db.query('select used from quota_day where account_id = $1', [
    accountId,
  ])
  return rows.map(({ used }) => used)
}
const callMessage = (params: unknown) => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })

describe.each(['/mcp', '/mcp/sse'])('at %s', (path) => {
  test.each(Object.entries(officialClients))(
    '%s lists the tools and calls one',
    async (_, open) => {
      const client = await open(doors.url + path, free.key)
      const { tools } = await client.listTools()
      await using older = await openMcpClient(doors.url, free.key)
      const { tools: olderTools } = await older.listTools()
      expect(tools).toEqual(olderTools)
      const { output } = await callOn(client, 'list_venues', { limit: 2 })
      expect(output.venues).toHaveLength(2)
      await client.close()
    },
  )
})

describe('without a key', () => {
  let client: AnyClient
  beforeAll(async () => {
    client = (await officialClients['the client that negotiates']?.(
      `${doors.url}/mcp`,
      null,
    )) as AnyClient
  })
  afterAll(() => client?.close())

  test('venues can be searched, listed and read', async () => {
    const { output } = await callOn(client, 'search_venues', { query: 'sushi in canggu' })
    const [first] = output.venues
    expect(first).toMatchObject({ area: 'Canggu' })
    expect((await callOn(client, 'list_venues', { limit: 1 })).output.venues).toHaveLength(1)
    const read = await callOn(client, 'get_venue', { slug: first.slug })
    expect(read.output.venue).toMatchObject({ slug: first.slug })
  })

  test('other tools get 401, which says how to sign in, and where a key comes from', async () => {
    const call = callMessage({ name: 'confirm_booking', arguments: {} })
    const response = await postMessage(`${doors.url}/mcp`, call)
    const challenge = response.headers.get('www-authenticate')
    expect([response.status, challenge]).toEqual([401, `Bearer ${signIn('/mcp')}`])
    const { id, error } = await messageOf(response)
    expect([id, error.code, error.message]).toEqual([
      ...[7, -32000],
      expect.stringMatching(/signs in with OAuth, or to sign up at .+ `Authorization: Bearer/),
    ])
    expect(error.data).toMatchObject({
      code: 'unauthenticated',
      sign_up: expect.stringContaining('/sign-up'),
      without_key: [
        ...['check_availability', 'search_venues', 'list_venues', 'get_venue'],
        ...['search', 'fetch'],
      ],
      _meta: { 'mcp/www_authenticate': [expect.stringContaining(signIn('/mcp'))] },
    })
    // A client that cannot sign in shows the text to its model.
    await expect(callOn(client, 'confirm_booking', {})).rejects.toThrow('/sign-up')
  })

  test('the limits of open calls apply, to tools and to other messages', async () => {
    const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
    const address = `${strict.url}/mcp`
    const search = callMessage({ name: 'search_venues', arguments: { query: 'spa' } })
    const codes = []
    for (const message of [search, listMessage, search, search]) {
      const { result } = await messageOf(await postMessage(address, message))
      codes.push(result.isError ? JSON.parse(result.content.at(-1).text).error.code : 'ok')
    }
    expect(codes).toEqual(['ok', 'ok', 'ok', 'rate_limited'])
    const refused = await postMessage(address, listMessage)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await messageOf(refused)).error.data).toMatchObject({ code: 'rate_limited' })
    await strict.close()
  })
})

test('a wrong key is refused when the client connects, not when a tool is called', async () => {
  for (const message of [listMessage, callMessage({ name: 'search_venues', arguments: {} })]) {
    const response = await postMessage(`${doors.url}/mcp`, message, bearer('service_live_nope'))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(`error="invalid_token"`)
    const { error, id } = await messageOf(response)
    expect([id, error.data.code]).toEqual([message.id, 'unauthenticated'])
  }
})

test('a revoked key stops working at once', async () => {
  const { key, keyId } = await doors.openAccount('free')
  const call = callMessage({ name: 'list_venues', arguments: { limit: 1 } })
  const send = async () => postMessage(`${doors.url}/mcp`, call, bearer(key))
  expect((await messageOf(await send())).result.isError).toBeUndefined()
  await doors.db.query('update api_key set revoked_at = now() where id = $1', [keyId])
  const { result } = await messageOf(await send())
  expect(JSON.parse(result.content.at(-1).text).error.code).toBe('unauthenticated')
  expect((await send()).status).toBe(401)
})

test('a search with a key counts against its quota and is in its request log', async () => {
  const { key, accountId } = await doors.openAccount('free', 1)
  const search = callMessage({ name: 'search_venues', arguments: { query: 'spa in ubud' } })
  const send = async () => messageOf(await postMessage(`${doors.url}/mcp`, search, bearer(key)))
  expect((await send()).result.isError).toBeUndefined()
  expect((await send()).result.content[0].text).toContain('All 1 requests of this UTC day are used')
  await postMessage(`${doors.url}/mcp`, listMessage, bearer(key))
  expect(await usedBy(accountId)).toEqual([1])
  await eventually('the log', async () => {
    const { rows } = await doors.db.query(`select code from request_log where account_id = $1`, [
      accountId,
    ])
    return rows.length === 2
  })
})

test('messages and calls draw on their account’s buckets', async () => {
  const slow = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const { key } = await slow.openAccount('pro')
  const send = (message: unknown) => postMessage(`${slow.url}/mcp`, message, bearer(key))
  await eventually('a refusal', async () => (await send(pingMessage)).status === 429)
  await eventually('a refused call', async () => {
    const { result } = await messageOf(await send(callMessage({ name: 'list_venues' })))
    return result.isError === true && result.content[0].text.includes('requests a second')
  })
  await slow.close()
})

test.each([
  ['a name that is a number', { name: 5 }, '/name'],
  ['no params', 5, ''],
  ['arguments that are a list', { name: 'get_venue', arguments: [] }, '/arguments'],
])(
  'a tool call with %s is refused as at other doors, counted and logged',
  async (_, params, pointer) => {
    const { key, accountId } = await doors.openAccount('free')
    const response = await postMessage(`${doors.url}/mcp`, callMessage(params), bearer(key))
    const { id, result } = await messageOf(response)
    const { error } = JSON.parse(result.content.at(-1).text)
    expect([id, result.isError, error.code]).toEqual([7, true, 'invalid_request'])
    expect(error.errors).toMatchObject([{ pointer }])
    expect(error.request_id).toBe(response.headers.get('x-request-id'))
    expect(await usedBy(accountId)).toEqual([1])
    expect(doors.logged()).toContain(`"request_id":"${error.request_id}"`)
  },
)

test('calls that the SDK refuses before they reach a tool are limited too', async () => {
  const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '2' })
  const { message, headers } = modernRequest('tools/call', { name: 'list_venues' })
  const send = async () => {
    const wrong = { ...headers, 'mcp-name': 'get_venue' }
    return (await postMessage(`${strict.url}/mcp`, message, wrong)).status
  }
  expect([await send(), await send(), await send()]).toEqual([400, 400, 429])
  await strict.close()
})

const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`
const initialize = { jsonrpc: '2.0', id: 7, method: 'initialize' }

test.each([
  ['initialize without parameters', initialize],
  ['initialize with empty parameters', { ...initialize, params: {} }],
  ['a cursor that is a number', { ...listMessage, id: 7, params: { cursor: 5 } }],
])('%s is refused as invalid parameters', async (_, message) => {
  const { error, id } = await messageOf(await postMessage(`${doors.url}/mcp`, message))
  expect([id, error.code, error.data.code]).toEqual([7, -32602, 'invalid_request'])
  expect(error.data.errors[0].pointer).toMatch(/^\/params/)
})

test.each([
  ...['id', 'params', 'method'].map((field) => [
    ...[`a ${field} of 20,000 levels`, `{"jsonrpc":"2.0","method":"ping","${field}":${deep}}`],
    ...[400, -32600, 'invalid_request'],
  ]),
  ['a deep _meta', `{"params":{"_meta":{"a":${deep}}}}`, 400, -32600, 'invalid_request'],
  ['half an object', '{', 400, -32700, 'malformed_json'],
  ['a batch', '[]', 400, -32600, 'invalid_request'],
  ['a message over 64 kB', `"${'x'.repeat(70_000)}"`, 413, -32000, 'payload_too_large'],
  ['another type', '{}', 415, -32000, 'unsupported_media_type', 'text/plain'],
] as [string, string, number, number, string, string?][])(
  '%s is refused as JSON-RPC',
  async (...sent) => {
    const [, body, status, rpcCode, code, contentType = 'application/json'] = sent
    const headers = { 'content-type': contentType }
    const response = await postMessage(`${doors.url}/mcp`, body, headers)
    expect(response.status).toBe(status)
    const { error, id } = await messageOf(response)
    expect([id, error.code, error.data.code]).toEqual([null, rpcCode, code])
  },
)

test.each([
  ['https://evil.example', 403],
  ['null', 403],
  ['http://localhost:6274', 200],
])('a message from a page of %s is answered %i', async (origin, status) => {
  const response = await postMessage(`${doors.url}/mcp`, pingMessage, { origin })
  expect(response.status).toBe(status)
})

test.each(['GET', 'DELETE'])('%s is refused, as there are no sessions', async (method) => {
  const response = await fetch(`${doors.url}/mcp`, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

test('the older door names its successor', async () => {
  const response = await fetch(`${doors.url}/mcp/sse`, { headers: bearer(free.key) })
  expect(response.headers.get('deprecation')).toMatch(/^@\d+$/)
  expect(response.headers.get('link')).toBe('</mcp>; rel="successor-version"')
  await response.body?.cancel()
})

test('the lists of 2026-07-28 may be cached by everyone', async () => {
  for (const method of ['server/discover', 'tools/list']) {
    const { message, headers } = modernRequest(method)
    const { result } = await messageOf(await postMessage(`${doors.url}/mcp`, message, headers))
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
  }
})
