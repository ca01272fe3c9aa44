import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, refuse } from '../../contract/rules/errors.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { exceeded } from '../guards/allowance.ts'
import type { KeyHolder } from '../guards/authentication.ts'
import type { Guards } from '../guards/guards.ts'
import { keepBodyBytes, readJsonObject } from '../json-body.ts'
import type { RunOperation } from '../run-operation.ts'
import { createCallsInProgress } from './calls-in-progress.ts'
import { createSessions, type SessionLimits } from './sessions.ts'
import { createToolServer, type ToolCall } from './tools.ts'

const MESSAGES_PATH = '/mcp/messages'

export type McpDoor = {
  run: RunOperation
  guards: Pick<Guards, 'admit' | 'identify' | 'limitAddress'>
  metrics: Metrics
  checkOrigin: (request: FastifyRequest) => Promise<void>
  publicUrl: string
  limits: SessionLimits
}

/** MCP over HTTP+SSE (2024-11-05): `GET /mcp/sse` opens a stream and announces where to post its messages. */
export async function mcpDoor(scope: FastifyInstance, door: McpDoor) {
  const { guards, metrics, publicUrl } = door
  const sessions = createSessions(door.limits)
  const calls = createCallsInProgress(door.run)
  scope.addHook('preClose', () => sessions.stop(calls.answered))
  metrics.beforeScrape(() => metrics.mcpSessions.set(sessions.count()))
  scope.addHook('onRequest', door.checkOrigin)
  keepBodyBytes(scope)

  const holderOf = async (request: FastifyRequest): Promise<KeyHolder> => {
    const holder = await guards.identify(request)
    if (!holder) throw refuse('unauthenticated')
    return holder
  }

  const limitAddress = async (request: FastifyRequest): Promise<void> => {
    const allowance = await guards.limitAddress(request)
    if (!allowance.granted) throw exceeded(allowance)
  }

  scope.get('/mcp/sse', { exposeHeadRoute: false }, async (request, reply) => {
    guards.admit()
    const holder = await holderOf(request)
    sessions.admit(holder)
    reply.hijack()
    reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()).map(asText)))
    reply.raw.setHeader('x-accel-buffering', 'no')
    const transport = new SSEServerTransport(MESSAGES_PATH, reply.raw)
    sessions.open(transport, reply.raw, holder)
    await createToolServer(calls.run, publicUrl).connect(transport)
  })

  scope.post<{ Querystring: { sessionId?: unknown } }>(MESSAGES_PATH, async (request, reply) => {
    const session = sessions.use(request.query.sessionId, await holderOf(request))
    const message = readJsonObject(request)
    const bareCall = { ...message, params: { name: '' } }
    const isToolCall = message.method === 'tools/call' && isJSONRPCRequest(bareCall)
    if (!isToolCall) await limitAddress(request)
    const extra: ToolCall = { request, params: message.params }
    const authInfo = { token: '', clientId: session.accountId, scopes: [], extra }
    const { transport } = session
    await transport.handleMessage(isToolCall ? bareCall : message, { authInfo }).catch(() => {
      throw invalidRequest([{ pointer: '', detail: 'expected one JSON-RPC 2.0 message' }])
    })
    return reply.code(202).type('text/plain').send('Accepted')
  })
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)]
