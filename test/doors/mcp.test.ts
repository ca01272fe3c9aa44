import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../support/mcp-stream.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { bearer, type Doors, type Holder, openDoors, signIn } from '../support/open-doors.ts'

let doors: Doors
let pro: Holder
const clients: Client[] = []

beforeAll(async () => {
  doors = await openDoors({ MCP_MAX_SESSIONS: '30', OPENAI_APPS_CHALLENGE: 'token-of-the-form' })
  pro = await doors.openAccount('pro')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})
afterAll(() => doors.close())

async function connect(key: string): Promise<Client> {
  const client = await openMcpClient(doors.url, key)
  clients.push(client)
  return client
}

describe('with the official client', () => {
  test('the tools are few, and listed with all four annotations', async () => {
    const client = await connect(pro.key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_venues',
      'list_venues',
      'get_venue',
      'check_availability',
      'hold_slot',
      'confirm_booking',
      'get_booking',
      'amend_booking',
      'cancel_booking',
      'list_bookings',
      'answer_offer',
      'watch_slot',
      'get_watch',
      'cancel_watch',
      'book_itinerary',
      'get_itinerary',
      'cancel_itinerary',
      'list_events',
      'get_account',
      'search',
      'fetch',
    ])
    for (const tool of tools) {
      expect(Object.keys(tool.annotations ?? {}).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ])
    }
    expect(client.getInstructions()).toContain('confirm_booking')
  })

  test('an answer is one text, so that no client pays for it twice', async () => {
    const client = await connect(pro.key)
    const result = await client.callTool({ name: 'list_venues', arguments: { limit: 2 } })
    expect(result.structuredContent).toBeUndefined()
    const texts = result.content as { text: string }[]
    expect(texts).toHaveLength(1)
    expect(JSON.parse(texts[0]?.text ?? '').venues).toHaveLength(2)
  })

  test('search and fetch give documents, as text and as an object', async () => {
    const client = await connect(pro.key)
    const documentOf = async (name: string, input: Record<string, string>) => {
      // The client checks the object against the tool's output schema.
      const { content, structuredContent } = await client.callTool({ name, arguments: input })
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent)
      return structuredContent as any
    }
    await client.listTools()
    const { results } = await documentOf('search', { query: 'sushi in Canggu' })
    const [first] = results
    expect(Object.keys(first)).toEqual(['id', 'title', 'url'])
    expect((await fetch(`${doors.url}${new URL(first.url).pathname}`)).status).toBe(200)
    const document = await documentOf('fetch', { id: first.id })
    expect(document).toMatchObject({ ...first, metadata: { category: 'restaurant' } })
    expect(document.text).toMatch(/^address: .+/m)
    expect(document.text).toContain('availability: {')
    const missing = await client.callTool({ name: 'fetch', arguments: {} })
    expect(JSON.stringify(missing.content)).toContain('/id: required')
    const none = await client.callTool({ name: 'fetch', arguments: { id: 'no-such-venue' } })
    expect(JSON.stringify(none.content)).toContain('venue_not_found')
  })

  test('a directory finds the text that proves the domain, if there is one', async () => {
    const { url } = doors
    expect(await (await fetch(`${url}/.well-known/openai-apps-challenge`)).text()).toBe(
      'token-of-the-form',
    )
    expect((await fetch(`${url}/.well-known/mcp-registry-auth`)).status).toBe(404)
  })

  test('ping is the protocol’s own and costs no quota', async () => {
    const holder = await doors.openAccount('free', 1)
    const client = await connect(holder.key)
    await client.ping()
    await client.listTools()
    const used = await doors.db.query('select used from quota_day where account_id = $1', [
      holder.accountId,
    ])
    expect(used.rows).toEqual([])
  })

  test('an unknown tool and wrong arguments give results that say what to do', async () => {
    const client = await connect(pro.key)
    const unknown = await client.callTool({ name: 'fly', arguments: {} })
    expect(unknown.isError).toBe(true)
    expect(JSON.stringify(unknown.content)).toContain('unknown_tool')
    expect(JSON.stringify(unknown.content)).toContain('confirm_booking')
    const near = await client.callTool({ name: 'cancelBooking', arguments: {} })
    expect(JSON.stringify(near.content)).toContain('Did you mean `cancel_booking`?')
    const wrong = await client.callTool({ name: 'search_venues', arguments: { limit: 'x' } })
    expect(wrong.isError).toBe(true)
    expect(JSON.stringify(wrong.content)).toContain('/query: required: expected a string')
  })

  test('a free key may search but not confirm, and nothing is written', async () => {
    const free = await doors.openAccount('free')
    const client = await connect(free.key)
    const refused = await client.callTool({ name: 'confirm_booking', arguments: {} })
    expect(refused.isError).toBe(true)
    expect(JSON.stringify(refused.content)).toContain('plan_required')
    const { rows } = await doors.db.query('select 1 from request where account_id = $1', [
      free.accountId,
    ])
    expect(rows).toEqual([])
  })
})

describe('the stream', () => {
  test('is not buffered by proxies, is kept alive, and ends when idle', async () => {
    const brief = await openDoors({ MCP_IDLE_SECONDS: '1' })
    const { key } = await brief.openAccount('pro')
    const { response, reader } = await openStream(brief.url, key)
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    let received = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      received += part.value
    }
    expect(received).toContain(': keep-alive\n\n')
    await brief.close()
  })

  test('ends at once when the server closes', async () => {
    const brief = await openDoors()
    const { key } = await brief.openAccount('pro')
    const { reader } = await openStream(brief.url, key)
    await brief.close()
    expect(await reader?.read()).toMatchObject({ done: true })
  })

  test('needs a valid key', async () => {
    for (const headers of [{}, bearer('service_live_nope')]) {
      const response = await fetch(`${doors.url}/mcp/sse`, { headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain(signIn('/mcp'))
      await response.body?.cancel()
    }
  })

  test('an account has at most a tenth of all sessions', async () => {
    const { key } = await doors.openAccount('free')
    const streams = [
      await openStream(doors.url, key),
      await openStream(doors.url, key),
      await openStream(doors.url, key),
    ]
    const refused = await fetch(`${doors.url}/mcp/sse`, { headers: bearer(key) })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'too_many_sessions' })
    for (const { close } of streams) close()
  })

  test.each([
    ['https://evil.example', 403],
    ['http://localhost:6274', 401],
    ['null', 403],
  ])('origin %s without a key is answered %i', async (origin, status) => {
    const response = await fetch(`${doors.url}/mcp/sse`, { headers: { origin } })
    expect(response.status).toBe(status)
    await response.body?.cancel()
  })
})
