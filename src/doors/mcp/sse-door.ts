import { setImmediate } from 'node:timers/promises'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, refuse } from '../../base/errors.ts'
import type { DoorDeps, RunOperation } from '../calls/run-operation.ts'
import { requireGranted } from '../guards/allowance.ts'
import type { KeyHolder } from '../guards/authentication.ts'
import { keepBodyBytes, readJsonObject } from '../http/json-body.ts'
import { hijackStream } from '../http/open-streams.ts'
import { createCallTool, type ToolCall } from './call-tool.ts'
import { createSessions } from './sessions.ts'
import { createSseServer } from './sse-server.ts'

export const SSE_PATH = '/mcp/sse'
const MESSAGES_PATH = '/mcp/messages'
/** Deprecated since 2026-11-23 (RFC 9745). No end date, as the specification names this address. */
const deprecation = { deprecation: '@1795392000', link: '</mcp>; rel="successor-version"' }

/** MCP over HTTP+SSE (2024-11-05): `GET /mcp/sse` opens a stream that names the POST address. */
export async function sseDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { guards, metrics, config, publicUrl } = deps
  const sessions = createSessions(config.MCP_MAX_SESSIONS, config.MCP_IDLE_SECONDS)
  const calls = trackCalls(deps.run)
  const callTool = createCallTool({ run: calls.run, publicUrl })
  scope.addHook('preClose', () => sessions.stop(calls.answered))
  metrics.beforeScrape(() => metrics.mcpSessions.set(sessions.count()))
  scope.addHook('onRequest', guards.checkOrigin)
  scope.addHook('onRequest', async (_, reply) => void reply.headers(deprecation))
  keepBodyBytes(scope)

  const holderOf = async (request: FastifyRequest): Promise<KeyHolder> => {
    const holder = await guards.identifyMessage(request)
    if (!holder) throw await guards.refuseKeyless(request)
    return holder
  }
  const limit = async (request: FastifyRequest) =>
    requireGranted(await guards.limitAddress(request))

  scope.get(SSE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    guards.admit()
    const holder = await holderOf(request)
    await limit(request)
    const permit = sessions.admit(holder)
    const stream = hijackStream(reply)
    const transport = new SSEServerTransport(MESSAGES_PATH, stream)
    sessions.open(permit, { transport, stream, holder })
    await createSseServer(callTool).connect(transport)
  })

  scope.post<{ Querystring: { sessionId?: unknown } }>(MESSAGES_PATH, async (request, reply) => {
    const holder = await holderOf(request)
    const session = sessions.find(request.query.sessionId, holder)
    if (!session) {
      await limit(request)
      throw refuse('session_not_found')
    }
    const message = readJsonObject(request)
    const bareCall = { ...message, params: { name: '' } }
    const isToolCall = message.method === 'tools/call' && isJSONRPCRequest(bareCall)
    if (!isToolCall) await limit(request)
    const extra: ToolCall = { request, params: message.params }
    const authInfo = { token: '', clientId: holder.id, scopes: [], extra }
    await session.transport
      .handleMessage(isToolCall ? bareCall : message, { authInfo })
      .catch(() => {
        throw invalidRequest([{ pointer: '', detail: 'expected one JSON-RPC 2.0 message' }])
      })
    return reply.code(202).type('text/plain').send('Accepted')
  })
}

/** Tracks calls whose answers have not yet been written to their streams. */
function trackCalls(runOperation: RunOperation) {
  const calls = new Set<Promise<unknown>>()
  const run: RunOperation = (call) => {
    const outcome = runOperation(call)
    calls.add(outcome)
    void outcome.finally(() => calls.delete(outcome))
    return outcome
  }
  const answered = async () => {
    while (calls.size > 0) await Promise.all(calls)
    // The SDK writes an answer in the event loop turn in which the answer arrives.
    await setImmediate()
  }
  return { run, answered }
}
