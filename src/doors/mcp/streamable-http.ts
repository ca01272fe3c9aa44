import type { NodeIncomingMessageLike, toWebRequest } from '@modelcontextprotocol/node'
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import { type Problem, type RefusalData, refuse } from '../../base/errors.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { errorBody, loggedRefusal, setRefusal } from '../calls/refusals.ts'
import { keepBodyBytes, readJsonObject } from '../http/json-body.ts'
import { JSON_TYPE, weigh } from '../http/send-document.ts'

/** A JSON-RPC message, or whatever object the client sent instead. */
export type RpcMessage = Record<string, unknown>

/** A message for the SDK, with the auth info for its handlers. */
export type Admitted = {
  message: RpcMessage | undefined
  authInfo?: AuthInfo
  /** runs once the SDK has answered, before the response is sent; throws to replace it */
  settle?(): Promise<void>
}

/** The SDK's handler for web requests, and its conversion to such requests. */
type Sdk = {
  fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response>
  toWebRequest: typeof toWebRequest
}

type Endpoint = {
  routes: { url: string; method: HTTPMethods | HTTPMethods[] }[]
  /** Applies the guards; throws if a message is refused. */
  admit(request: FastifyRequest, message: RpcMessage | undefined): Promise<Admitted>
  load(): Promise<Sdk>
  log: Log
  publicUrl: string
}

const STREAM = 'text/event-stream'

/**
 * Serves Streamable HTTP (MCP 2025-11-25 and 2026-07-28). Responses go through Fastify, so its
 * hooks apply. A refusal is a JSON-RPC error with the HTTP status of its code, and its `data` has
 * the same fields as at other doors.
 */
export function streamableHttp(scope: FastifyInstance, endpoint: Endpoint): void {
  const { routes, admit, load, log, publicUrl } = endpoint
  keepBodyBytes(scope)
  scope.setErrorHandler((error, request, reply) =>
    sendError(reply, publicUrl, loggedRefusal(error, request, log), null),
  )

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    let input: RpcMessage | undefined
    try {
      input = request.method === 'POST' ? readJsonObject(request) : undefined
      const { message, authInfo, settle } = await admit(request, input)
      const { fetch, toWebRequest } = await load()
      const raw = request.raw as NodeIncomingMessageLike
      const weightOf = weigh(request)
      const takesStream = weightOf(STREAM) > 0 && weightOf(STREAM) >= weightOf(JSON_TYPE)
      if (input && !takesStream && weightOf(JSON_TYPE) === 0) {
        await settle?.()
        throw refuse('not_acceptable')
      }
      raw.headers.accept = `${JSON_TYPE}, ${STREAM}`
      const webRequest = await toWebRequest(raw, message, { signal: closedSignal(reply) })
      const parsedBody = message && { parsedBody: message }
      const response = await fetch(webRequest, { ...parsedBody, ...(authInfo && { authInfo }) })
      await settle?.().catch((error: unknown) => {
        void response.body?.cancel()
        throw error
      })
      if (!response.headers.get('content-type')?.startsWith(STREAM)) return reply.send(response)
      if (!takesStream) return sendMessage(reply, response)
      return reply.header('x-accel-buffering', 'no').send(response)
    } catch (error) {
      return sendError(reply, publicUrl, loggedRefusal(error, request, log), input?.id)
    }
  }
  for (const route of routes) scope.route({ ...route, exposeHeadRoute: false, handler })
}

/** Sends the message of a stream to a client that prefers JSON; the SDK insists on both. */
async function sendMessage(reply: FastifyReply, response: Response) {
  const data = /^data: (.+)$/m.exec(await response.text())?.[1]
  return reply.code(response.status).type(`${JSON_TYPE}; charset=utf-8`).send(data)
}

/** Aborts if the client closes its connection before the response has ended. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) closed.abort()
  })
  return closed.signal
}

function sendError(reply: FastifyReply, publicUrl: string, refusal: RefusalData, id: unknown) {
  const data = { ...errorBody(refusal, publicUrl), request_id: reply.request.id }
  const error = { code: rpcCodeOf(refusal), message: refusal.message, data }
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  return setRefusal(reply, refusal, publicUrl).send({ jsonrpc: '2.0', error, id: isId ? id : null })
}

/** JSON-RPC 2.0, section 5.1; -32000 is the first code reserved for a server's own errors. */
function rpcCodeOf({ code, facts }: RefusalData): number {
  if (code === 'malformed_json') return -32700
  const [problem] = (facts.errors ?? []) as Problem[]
  if (code === 'invalid_request') return problem?.pointer.startsWith('/params') ? -32602 : -32600
  return errorCatalogue[code].status === 500 ? -32603 : -32000
}
