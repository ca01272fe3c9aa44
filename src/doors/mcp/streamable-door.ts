import {
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, type RefusalData, refuse } from '../../base/errors.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { parseEnvelope } from '../calls/parse-input.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { requireGranted } from '../guards/allowance.ts'
import { isObject } from '../http/json-body.ts'
import { createCallTool, type ToolCall } from './call-tool.ts'
import { SSE_PATH } from './sse-door.ts'
import { type Admitted, type RpcMessage, streamableHttp } from './streamable-http.ts'

const STREAMABLE_PATH = '/mcp'

/**
 * MCP over Streamable HTTP: `POST /mcp`, versions 2026-07-28 and 2025-11-25, stateless. A POST to
 * the older door's address does the same, because newer clients try that first.
 */
export async function streamableDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { guards, log, publicUrl } = deps
  const callTool = createCallTool(deps)
  scope.addHook('onRequest', guards.checkOrigin)

  const example = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const notRpc =
    `This address takes MCP, which is JSON-RPC 2.0: ${example}. An envelope with \`intent\` and ` +
    `\`payload\` goes to ${publicUrl}/a2a/v1.`
  const errors = { errors: [{ pointer: '/jsonrpc', detail: 'expected "2.0"' }] }
  const limit = async (request: FastifyRequest) =>
    requireGranted(await guards.limitAddress(request))

  const admit = async (request: FastifyRequest, message?: RpcMessage): Promise<Admitted> => {
    guards.admit()
    if (!message || !isToolCall(message)) {
      await guards.identifyMessage(request)
      await limit(request)
      if (message && message.jsonrpc !== '2.0') throw refuse('invalid_request', notRpc, errors)
      return { message: message && withParams(message) }
    }
    // An invalid key is refused here already, so that whoever configures the client notices.
    if (!guards.holderOfKey(request)) await guards.identify(request)
    const signIn = Promise.withResolvers<RefusalData | null>()
    const call: ToolCall = { request, params: message.params, onSignIn: signIn.resolve }
    const { name, _meta } = isObject(message.params) ? message.params : {}
    const params = {
      name: typeof name === 'string' ? name : '',
      ...(_meta != null && { _meta }),
    }
    return {
      message: { ...message, params },
      authInfo: { token: '', clientId: '', scopes: [], extra: call },
      settle: async () => {
        if (!call.isTaken) return limit(request)
        const refusal = await signIn.promise
        if (refusal) throw new Refusal(refusal)
      },
    }
  }

  let sdk: ReturnType<typeof loadSdk> | undefined
  /** Loads the SDK on the first request, because it takes 7 MB that an unused door can spare. */
  const loadSdk = async () => {
    const { createStreamableHandler, toWebRequest } = await import('./streamable-server.ts')
    const onError = (error: Error) => log.debug({ error: loggable(error) }, 'mcp refused')
    return { ...createStreamableHandler(callTool, onError), toWebRequest }
  }
  streamableHttp(scope, {
    routes: [
      { url: STREAMABLE_PATH, method: 'POST' },
      { url: SSE_PATH, method: 'POST' },
    ],
    admit,
    load: () => {
      sdk ??= loadSdk()
      return sdk
    },
    log,
    publicUrl,
  })
}

/** For invalid parameters of these requests, the SDK would return an internal error, -32603. */
const schemas = [
  ...[InitializeRequestSchema, ListToolsRequestSchema],
  ...[ListResourcesRequestSchema, ReadResourceRequestSchema],
] as const

/** The message without params that are null, and with the capabilities that clients leave out. */
function withParams({ params, ...message }: RpcMessage): RpcMessage {
  const isInitialize = message.method === 'initialize' && isObject(params)
  const plain = isInitialize ? { ...params, capabilities: params.capabilities ?? {} } : params
  const whole = plain === null || plain === undefined ? message : { ...message, params: plain }
  const schema = schemas.find(({ shape }) => shape.method.value === message.method)
  if (schema && !(isInitialize && isModern(params))) parseEnvelope(schema, whole)
  return whole
}

/** Revision 2026-07-28 has no `initialize`, so the SDK refuses it as an unknown method. */
const isModern = ({ _meta }: RpcMessage): boolean =>
  isObject(_meta) && 'io.modelcontextprotocol/protocolVersion' in _meta

/** Whether a message is a request that the SDK passes to the tools if its headers are valid. */
const isToolCall = ({ jsonrpc, method, id }: RpcMessage) =>
  jsonrpc === '2.0' &&
  method === 'tools/call' &&
  (typeof id === 'string' || Number.isSafeInteger(id))
