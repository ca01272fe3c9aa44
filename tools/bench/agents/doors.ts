import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import type { Answer, Call, Door, Refusal } from './call.ts'

type Open = (url: string, key: string) => Promise<Door>

/** Every measured door, in the order of the table. */
export const openDoor = {
  A2A: async (url, key) => ({
    name: 'A2A',
    family: 'a2a',
    manual: () => textAt(`${url}/llms.txt`),
    async send({ name: intent, input: payload }) {
      const { text, body } = await fetchJson(`${url}/a2a/v1`, 'POST', key, { intent, payload })
      return answerOf(text, body.error, body.payload)
    },
    close: async () => {},
  }),
  REST: async (url, key) => ({
    name: 'REST',
    family: 'rest',
    manual: () => textAt(`${url}/llms.txt`),
    send: (call) => sendRest(url, key, call),
    close: async () => {},
  }),
  MCP: async (url, key) => {
    const client = new Client({ name: 'bench', version: '1.0.0' })
    const requestInit = { headers: bearer(key) }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    return mcpDoor('MCP', client)
  },
  'MCP, SSE': async (url, key) => {
    const client = new OlderClient({ name: 'bench', version: '1.0.0' })
    const headers = bearer(key)
    const withKey = (address: string | URL, init?: RequestInit) =>
      fetch(address, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
      })
    const options = { eventSourceInit: { fetch: withKey }, requestInit: { headers } }
    await client.connect(new SSEClientTransport(new URL(`${url}/mcp/sse`), options))
    return mcpDoor('MCP, SSE', client)
  },
} satisfies Record<string, Open>

export type DoorName = keyof typeof openDoor

export const doorNames = Object.keys(openDoor) as DoorName[]

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

async function sendRest(url: string, key: string, { name, input }: Call): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ')
  const fields = Object.entries(input)
  const query = new URLSearchParams(
    fields.map(([field, value]): [string, string] => [field, String(value)]),
  )
  const hasBody = method !== 'GET' && fields.length > 0
  const address = `${url}${path}${!hasBody && fields.length > 0 ? `?${query}` : ''}`
  const { text, body, ok } = await fetchJson(address, method, key, hasBody ? input : undefined)
  return answerOf(text, ok ? undefined : { ...body, message: body.detail }, body)
}

async function fetchJson(address: string, method: string, key: string, body?: object) {
  const headers = { ...bearer(key), ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(address, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { text, body: isJson ? JSON.parse(text) : { text }, ok: response.ok }
}

type McpClient = {
  listTools(): Promise<{ tools: unknown[] }>
  getInstructions(): string | undefined
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}
type ToolResult = { isError?: boolean; content: { text: string }[]; structuredContent?: unknown }

const mcpDoor = (name: string, client: McpClient): Door => ({
  name,
  family: 'mcp',
  async manual() {
    const { tools } = await client.listTools()
    return `${JSON.stringify(tools)}${client.getInstructions() ?? ''}`
  },
  async send({ name, input }) {
    const result = (await client.callTool({ name, arguments: input })) as ToolResult
    const { content, structuredContent, isError } = result
    // Clients show the model the texts, the structured content, or both.
    const texts = content.map(({ text }) => text)
    const structured = structuredContent ? [JSON.stringify(structuredContent)] : []
    const body = JSON.parse(texts.at(-1) ?? '{}')
    return answerOf([...texts, ...structured].join('\n'), isError ? body.error : undefined, body)
  },
  close: () => client.close(),
})

const answerOf = (text: string, refusal: Refusal | undefined, output: unknown): Answer =>
  refusal ? { text, refusal } : { text, output }

const textAt = async (address: string) => (await fetch(address)).text()
