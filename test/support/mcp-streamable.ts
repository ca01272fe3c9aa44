import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import * as older from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { bearer } from './open-doors.ts'

const info = { name: 'test', version: '1.0.0' }
const initOf = (key: string | null) => ({ requestInit: { headers: key ? bearer(key) : {} } })

type CallToolParams = { name: string; arguments: Record<string, unknown> }
type Result = { isError?: boolean; content: { text: string }[] }

type Mode = 'legacy' | 'auto' | { pin: string }

/** What the official clients have in common. */
export type AnyClient = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: CallToolParams): Promise<unknown>
  close(): Promise<void>
}

/** Opens each official client on an address: both generations, both revisions. */
export const officialClients: Record<
  string,
  (address: string, key: string | null) => Promise<AnyClient>
> = {
  'the client of 2026-07-28': (address, key) => openClient(address, key, { pin: '2026-07-28' }),
  'the client that negotiates': (address, key) => openClient(address, key, 'auto'),
  'the client of 2025-11-25': (address, key) => openClient(address, key, 'legacy'),
  'the older SDK’s client': async (address, key) => {
    const client = new OlderClient(info)
    await client.connect(
      new older.StreamableHTTPClientTransport(new URL(address), initOf(key)) as never,
    )
    return client
  },
}

const openClient = (address: string, key: string | null, mode: Mode) =>
  openStreamable(address, initOf(key).requestInit, mode)

/** The official client, configured as users configure theirs: an address and headers. */
export async function openStreamable(
  address: string,
  requestInit: RequestInit,
  mode: Mode = 'auto',
): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  return client
}

/** Calls a tool; `error` is the last text of a refusal. */
export async function callOn(client: AnyClient, name: string, input: Record<string, unknown>) {
  const result = (await client.callTool({ name, arguments: input })) as Result
  const text = result.content[0]?.text ?? ''
  const body = JSON.parse(text)
  return { output: result.isError ? undefined : body, error: body.error ?? null, text }
}

/** The headers and `_meta` of a 2026-07-28 request. */
export function modernRequest(method: string, params: Record<string, unknown> = {}) {
  const version = '2026-07-28'
  const name = typeof params.name === 'string' && { 'mcp-name': params.name }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    headers: { 'mcp-protocol-version': version, 'mcp-method': method, ...name },
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  }
}

/** Posts a message as curl does, accepting any content type. */
export const postMessage = (
  address: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

/** The JSON-RPC message of a response, whether it is JSON or a stream of one event. */
export async function messageOf(response: Response): Promise<any> {
  const text = await response.text()
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
}
