import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listMessage, openStream, pingMessage, post } from '../support/mcp-stream.ts'
import { addKey, bearer, type Doors, type Holder, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let doors: Doors
let pro: Holder

beforeAll(async () => {
  doors = await openDoors({ MCP_MAX_SESSIONS: '30' })
  pro = await doors.openAccount('pro')
})
afterAll(() => doors.close())

describe('a session', () => {
  test('belongs to the key that opened it', async () => {
    const { address, close } = await openStream(doors.url, pro.key)
    const other = await doors.openAccount('pro')
    const sibling = await addKey(doors.db, pro.accountId)
    expect((await post(address, pro.key, pingMessage)).status).toBe(202)
    expect((await post(address, other.key, pingMessage)).status).toBe(404)
    expect((await post(address, sibling.key, pingMessage)).status).toBe(404)
    close()
  })

  test('ends with its key', async () => {
    const { key, keyId } = await doors.openAccount('pro')
    const { address, close } = await openStream(doors.url, key)
    await doors.db.query('update api_key set revoked_at = now() where id = $1', [keyId])
    expect((await post(address, key, pingMessage)).status).toBe(401)
    close()
  })

  test('ends when its client stops reading', async () => {
    const { key } = await doors.openAccount('pro')
    const { address, close } = await openStream(doors.url, key)
    let answered = 0
    let status = 202
    while (status === 202 && answered < 5_000) {
      status = (await post(address, key, listMessage)).status
      answered += 1
    }
    expect(status).toBe(404)
    close()
  })

  test('limits the messages per minute that are not tool calls', async () => {
    const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
    const { key } = await strict.openAccount('pro')
    const { address, close } = await openStream(strict.url, key)
    const notification = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_venues' } }
    expect((await post(address, key, pingMessage)).status).toBe(202)
    expect((await post(address, key, notification)).status).toBe(202)
    const refused = await post(address, key, listMessage)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    expect((await post(address, key, { ...notification, id: 1 })).status).toBe(202)
    close()
    await strict.close()
  })
})

test('sessions that are opened or unknown are limited, with a key or without', async () => {
  const strict = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '3' })
  const [one, other] = [await strict.openAccount('free', 1), await strict.openAccount('free', 1)]
  const open = async (headers: Record<string, string>) => {
    const leaving = new AbortController()
    const { status } = await fetch(`${strict.url}/mcp/sse`, { headers, signal: leaving.signal })
    leaving.abort()
    return status
  }
  const send = async (headers: Record<string, string>) => {
    const address = `${strict.url}/mcp/messages?sessionId=unknown`
    return (await fetch(address, { method: 'POST', headers, body: '{}' })).status
  }
  const four = async (call: () => Promise<number>) => [
    ...[await call(), await call()],
    ...[await call(), await call()],
  ]
  expect(await four(() => open(bearer(one.key)))).toEqual([200, 200, 200, 429])
  expect(await four(() => send(bearer(other.key)))).toEqual([404, 404, 404, 429])
  expect(await four(() => send({}))).toEqual([401, 401, 401, 429])
  await strict.close()
})

test('messages draw on their account’s bucket', async () => {
  const slow = await openDoors({ REQUESTS_PER_SECOND: '1' })
  const { key } = await slow.openAccount('pro')
  const address = `${slow.url}/mcp/messages?sessionId=unknown`
  await eventually('a refusal', async () => (await post(address, key, pingMessage)).status === 429)
  await slow.close()
})

test.each([
  ['half an object', '{', 400, 'malformed_json'],
  ['an array', '[]', 400, 'invalid_request'],
  ['10,000 levels', `{"id":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400, 'invalid_request'],
  ['JSON that is not a message', '{"hello":1}', 400, 'invalid_request'],
  ['a message over 64 kB', `"${'x'.repeat(70_000)}"`, 413, 'payload_too_large'],
  ['bytes that are not UTF-8', Buffer.from('{"a":"\xe9"}', 'latin1'), 400, 'malformed_json'],
  ['another charset', '{}', 415, 'unsupported_media_type', 'application/json; charset=latin1'],
])('%s is refused', async (_, message, status, code, contentType?: string) => {
  const { address, close } = await openStream(doors.url, pro.key)
  const response = await post(address, pro.key, message, contentType)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code })
  close()
})

test.each([
  ['a name that is a number', '{"name":5}', '/name'],
  ['no params', '5', ''],
  ['arguments that are a list', '{"name":"get_venue","arguments":[]}', '/arguments'],
  [
    'an argument __proto__',
    '{"name":"get_venue","arguments":{"slug":"x","__proto__":{"a":1}}}',
    '/__proto__',
  ],
])(
  'a tool call with %s is refused like at other doors, counted and logged',
  async (_, params, pointer) => {
    const { key, accountId } = await doors.openAccount('free')
    const { address, nextData, close } = await openStream(doors.url, key)
    await post(address, key, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`)
    const { id, result } = JSON.parse(await nextData())
    const { error } = JSON.parse(result.content.at(-1).text)
    expect([id, result.isError, error.code]).toEqual([7, true, 'invalid_request'])
    expect(error.errors).toMatchObject([{ pointer }])
    const { rows } = await doors.db.query('select used from quota_day where account_id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ used: 1 }])
    expect(doors.logged()).toContain(`"request_id":"${error.request_id}"`)
    close()
  },
)
