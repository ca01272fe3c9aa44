import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { bearer, jsonOf, postEnvelope } from './open-doors.ts'

/** What a door said, without the clothes of its protocol. `status` is null where the protocol has none. */
export type Said = {
  status: number | null
  code: string
  message: string
  body: any
}

/** Sends the same confirm request through a door. */
export type SendConfirm = (
  doors: { url: string },
  key: string | null,
  input: Record<string, unknown>,
) => Promise<Said>

const rest: SendConfirm = async (doors, key, input) => {
  const response = await fetch(`${doors.url}/api/bookings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && bearer(key)) },
    body: JSON.stringify(input),
  })
  const body = await jsonOf(response)
  return { status: response.status, code: body.code ?? 'ok', message: body.detail, body }
}

const a2a: SendConfirm = async (doors, key, payload) => {
  const { status, body } = await postEnvelope(doors.url, key, {
    intent: 'booking.confirm',
    payload,
  })
  const { code = 'ok', message } = body.error ?? {}
  return { status, code, message, body: body.error ?? body.payload }
}

const mcp: SendConfirm = async (doors, key, input) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = new Headers(key ? bearer(key) : {})
  const transport = new SSEClientTransport(new URL(`${doors.url}/mcp/sse`), {
    eventSourceInit: {
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init?.headers, ...Object.fromEntries(headers) } }),
    },
    requestInit: { headers },
  })
  try {
    await client.connect(transport)
    const result = await client.callTool({ name: 'confirm_booking', arguments: input })
    const content = result.content as { text: string }[]
    const body = JSON.parse(content.at(-1)?.text ?? '')
    if (!result.isError) return { status: null, code: 'ok', message: '', body }
    return {
      status: null,
      code: body.error.code,
      message: content[0]?.text ?? '',
      body: body.error,
    }
  } finally {
    await client.close()
  }
}

export const everyDoor: [string, SendConfirm][] = [
  ['REST', rest],
  ['A2A', a2a],
  ['MCP', mcp],
]
