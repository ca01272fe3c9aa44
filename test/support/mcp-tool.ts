import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { bearer } from './open-doors.ts'

/** The official client with an open session. */
export const openMcpClient = (url: string, key: string | null) =>
  connectMcpClient(`${url}/mcp/sse`, key ? bearer(key) : {})

/** The official client, configured as users configure theirs: an address and headers. */
async function connectMcpClient(
  stream: string,
  headers: Record<string, string>,
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const withHeaders = (address: string | URL, init?: RequestInit) => {
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return fetch(address, { ...init, headers: all })
  }
  const transport = new SSEClientTransport(new URL(stream), {
    eventSourceInit: { fetch: withHeaders },
    requestInit: { headers },
  })
  await client.connect(transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

/** Calls a tool with the official client; returns its answer or its error. */
export async function callTool(
  url: string,
  key: string,
  name: string,
  input: Record<string, unknown>,
): Promise<any> {
  await using client = await openMcpClient(url, key)
  const { content } = await client.callTool({ name, arguments: input })
  return JSON.parse((content as { text: string }[])[0]?.text ?? '')
}
