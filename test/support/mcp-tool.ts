import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { bearer } from './open-doors.ts'

/** The official client with an open session. */
export async function openMcpClient(url: string, key: string): Promise<Client & AsyncDisposable> {
  const headers = bearer(key)
  const client = new Client({ name: 'test', version: '1.0.0' })
  const withKey = (address: string | URL, init?: RequestInit) =>
    fetch(address, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
    })
  const transport = new SSEClientTransport(new URL(`${url}/mcp/sse`), {
    eventSourceInit: { fetch: withKey },
    requestInit: { headers },
  })
  await client.connect(transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

/** Calls a tool with the official client; returns its structured content, or its error. */
export async function callTool(
  url: string,
  key: string,
  name: string,
  input: Record<string, unknown>,
): Promise<any> {
  await using client = await openMcpClient(url, key)
  const { content, structuredContent } = await client.callTool({ name, arguments: input })
  return structuredContent ?? JSON.parse((content as { text: string }[]).at(-1)?.text ?? '')
}
