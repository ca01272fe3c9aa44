import type { Capability } from '../../src/contract/capability.ts'
import { catalogue } from '../../src/network.ts'
import { openMcpClient } from './mcp-tool.ts'
import { bearer, jsonOf, postEnvelope } from './open-doors.ts'

/** A door's answer without protocol details. `status` is null if the protocol has none. */
export type DoorAnswer = {
  status: number | null
  code: string
  message: string
  body: any
}

/** Sends the same request through a door. */
export type Send = (
  doors: { url: string },
  key: string | null,
  input: Record<string, unknown>,
) => Promise<DoorAnswer>

/** A door for one of the catalogue's capabilities. */
type DoorTo = (capability: Capability) => Send

const rest: DoorTo = (capability) => async (doors, key, input) => {
  const [method = '', path = ''] = capability.rest.route.split(' ')
  const inPath = /\{(\w+)\}/.exec(path)?.[1] ?? ''
  const { [inPath]: id, ...fields } = input
  const address = doors.url + path.replace(`{${inPath}}`, encodeURIComponent(String(id)))
  const inQuery = method === 'GET' ? queryOf(capability, fields) : ''
  const response = await fetch(`${address}?${inQuery}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key && bearer(key)) },
    body: method === 'GET' ? null : JSON.stringify(fields),
  })
  const body = await jsonOf(response)
  return { status: response.status, code: body.code ?? 'ok', message: body.detail, body }
}

/** Fields under the names that they have in an address. */
function queryOf({ rest: { rename = {} } }: Capability, fields: Record<string, unknown>) {
  const names = Object.fromEntries(Object.entries(rename).map(([name, field]) => [field, name]))
  const all = Object.entries(fields).map(([field, value]) => [names[field] ?? field, `${value}`])
  return new URLSearchParams(Object.fromEntries(all))
}

const a2a: DoorTo = (capability) => async (doors, key, payload) => {
  const { status, body } = await postEnvelope(doors.url, key, { intent: capability.a2a, payload })
  const { code = 'ok', message } = body.error ?? {}
  return { status, code, message, body: body.error ?? body.payload }
}

const mcp: DoorTo = (capability) => async (doors, key, input) => {
  const client = await openMcpClient(doors.url, key)
  try {
    const result = await client.callTool({
      name: capability.mcp?.tool ?? '',
      arguments: { ...input, ...(capability.mcp?.action && { action: capability.mcp.action }) },
    })
    const content = result.content as { text: string }[]
    const body = JSON.parse(content.at(-1)?.text ?? '')
    if (!result.isError) return { status: null, code: 'ok', message: '', body }
    // In the x402 MCP transport, `error` is a text beside the other fields.
    const error = typeof body.error === 'string' ? body : body.error
    return { status: null, code: error.code, message: error.message, body: error }
  } finally {
    await client.close()
  }
}

/** Every door with the capability for this A2A intent. */
export function everyDoorTo(intent: string): [string, Send][] {
  const capability = catalogue.find((one) => one.a2a === intent)
  if (!capability) throw new Error(`no intent is called ${intent}`)
  const all: [string, DoorTo][] = [
    ['REST', rest],
    ['A2A', a2a],
    ...(capability.mcp ? [['MCP', mcp] satisfies [string, DoorTo]] : []),
  ]
  return all.map(([name, through]) => [name, through(capability)])
}

export const everyDoor = everyDoorTo('booking.confirm')
