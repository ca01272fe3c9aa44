import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Identify, KeyHolder } from '../../guards/authentication.ts'
import { refuse } from '../../model/errors.ts'
import { keepBodyText, readJsonObject } from '../json-body.ts'
import { invalidRequest } from '../parse-input.ts'
import type { RunOperation } from '../run-operation.ts'
import { createSessions, type SessionLimits } from './sessions.ts'
import { createToolServer } from './tools.ts'

const MESSAGES_PATH = '/mcp/messages'

export type McpDoor = {
  run: RunOperation
  identify: Identify
  checkOrigin: (request: FastifyRequest) => Promise<void>
  publicUrl: string
  limits: SessionLimits
}

/** MCP over HTTP+SSE (2024-11-05): `GET /mcp/sse` opens a stream and announces where to post its messages. */
export async function mcpDoor(scope: FastifyInstance, door: McpDoor) {
  const sessions = createSessions(door.limits)
  scope.addHook('preClose', sessions.stop)
  scope.addHook('onRequest', door.checkOrigin)
  keepBodyText(scope)

  const holderOf = async (request: FastifyRequest): Promise<KeyHolder> => {
    const holder = await door.identify(request)
    if (!holder) throw refuse('unauthenticated')
    return holder
  }

  scope.get('/mcp/sse', { exposeHeadRoute: false }, async (request, reply) => {
    const holder = await holderOf(request)
    sessions.admit(holder)
    reply.hijack()
    reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()).map(asText)))
    reply.raw.setHeader('x-accel-buffering', 'no')
    const transport = new SSEServerTransport(MESSAGES_PATH, reply.raw)
    sessions.open(transport, reply.raw, holder)
    await createToolServer(door.run, door.publicUrl, requestOf).connect(transport)
  })

  scope.post<{ Querystring: { sessionId?: unknown } }>(MESSAGES_PATH, async (request, reply) => {
    const session = sessions.use(request.query.sessionId, await holderOf(request))
    const message = readJsonObject(request)
    const authInfo = { token: '', clientId: session.accountId, scopes: [], extra: { request } }
    await session.transport.handleMessage(message, { authInfo }).catch(() => {
      throw invalidRequest([{ pointer: '', detail: 'expected one JSON-RPC 2.0 message' }])
    })
    return reply.code(202).type('text/plain').send('Accepted')
  })
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)]

/** The HTTP request that brought the message; it rides along as the SDK's auth info, without the key. */
function requestOf(extra: { authInfo?: { extra?: Record<string, unknown> } }): FastifyRequest {
  return extra.authInfo?.extra?.request as FastifyRequest
}
