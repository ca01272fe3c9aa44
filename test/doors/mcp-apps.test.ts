import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMcpClient } from '../support/mcp-tool.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

type Reader = Pick<Client, 'listTools' | 'listResources' | 'readResource' | 'close'>

/** A client of each transport and revision; only the older transport needs a key. */
const clients: Record<string, () => Promise<Reader>> = {
  'HTTP+SSE': async () => openMcpClient(doors.url, (await doors.openAccount('pro')).key) as never,
  '2025-11-25': () => openStreamable('legacy'),
  '2026-07-28': () => openStreamable({ pin: '2026-07-28' }),
}

async function openStreamable(mode: 'legacy' | { pin: string }) {
  const info = { name: 'test', version: '1.0.0' }
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${doors.url}/mcp`)))
  return client
}

test.each(Object.keys(clients))('%s: tools name a view, which loads nothing', async (name) => {
  const client = (await clients[name]?.()) as Reader
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ mimeType: 'text/html;profile=mcp-app', name: 'slots' }])
  const uri = resources[0]?.uri ?? ''
  const { tools } = await client.listTools()
  const shown = tools.filter(({ _meta }) => (_meta?.ui as any)?.resourceUri === uri)
  expect(shown.map((tool) => tool.name)).toEqual(
    expect.arrayContaining(['search_venues', 'check_availability', 'hold_slot', 'get_booking']),
  )
  expect(tools.find((tool) => tool.name === 'list_events')).not.toHaveProperty('_meta')
  const { contents } = await client.readResource({ uri })
  expect(contents).toMatchObject([
    { uri, mimeType: 'text/html;profile=mcp-app', _meta: { ui: { csp: {} } } },
  ])
  const { text } = contents[0] as { text: string }
  expect(text.length).toBeLessThan(60_000)
  expect(text).not.toMatch(/https?:|\bsrc=|\bhref=|@import|url\(|innerHTML|\beval\b/)
  // A host may have read the list of tools from a process of another release.
  const former = await client.readResource({ uri: 'ui://slots/0000' })
  expect(former.contents[0]).toMatchObject({ uri: 'ui://slots/0000', text })
  await expect(client.readResource({ uri: 'ui://other' })).rejects.toMatchObject({
    code: name === 'HTTP+SSE' ? -32002 : -32602,
    data: { uri: 'ui://other' },
  })
  await client.close()
})

test('a request for a view without its address is refused as invalid', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: {} })
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(`${doors.url}/mcp`, { method: 'POST', headers, body })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: -32602 } })
})
