import { InitializeRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from '../../base/errors.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { addressOf, requireGranted } from '../guards/allowance.ts'
import { isObject } from '../http/json-body.ts'
import { createCallTool, type ToolCall } from './call-tool.ts'
import { SSE_PATH } from './sse-door.ts'
import { type Admitted, type RpcMessage, streamableHttp } from './streamable-http.ts'

const STREAMABLE_PATH = '/mcp'

/**
 * MCP over Streamable HTTP: `POST /mcp`, 2026-07-28 and 2025-11-25. It keeps no sessions. POST at
 * the older door's address is the same, as newer clients try that first.
 */
export async function streamableDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { guards, log, publicUrl } = deps
  const callTool = createCallTool(deps)
  scope.addHook('onRequest', guards.checkOrigin)

  const limit = async (request: FastifyRequest) =>
    requireGranted(await guards.limitAddress(request))

  /** For what the SDK answers by itself, with a key or without. */
  const admitMessage = async (request: FastifyRequest) => {
    const known = guards.recentHolder(request)
    const meter = known ? guards.meter : guards.meterAddress
    const metered = meter(`mcp ${known?.id ?? addressOf(request)}`, new Date())
    try {
      await guards.identify(request)
      await limit(request)
    } finally {
      metered.end()
    }
  }

  const admit = async (request: FastifyRequest, sent?: RpcMessage): Promise<Admitted> => {
    guards.admit()
    if (!sent || !isToolCall(sent)) {
      await admitMessage(request)
      if (sent) requireParams(sent)
      return { message: sent }
    }
    // A wrong key is refused here, so that whoever configures the client sees it.
    if (!guards.holderOfKey(request)) await guards.identify(request)
    const call: ToolCall = { request, params: sent.params }
    const { name, _meta } = isObject(sent.params) ? sent.params : {}
    const params = {
      name: typeof name === 'string' ? name : '',
      ...(_meta !== undefined && { _meta }),
    }
    return {
      message: { ...sent, params },
      authInfo: { token: '', clientId: '', scopes: [], extra: call },
      settle: async () => {
        if (!call.isTaken) await limit(request)
      },
    }
  }

  let sdk: ReturnType<typeof loadSdk> | undefined
  /** Loaded by the first request: 7 MB, which a service that nobody calls here can do without. */
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

/** The SDK answers invalid parameters of these as an error of its own, -32603. */
const schemas = [InitializeRequestSchema, ListToolsRequestSchema] as const

function requireParams(sent: RpcMessage): void {
  const schema = schemas.find(({ shape }) => shape.method.value === sent.method)
  const issues = schema?.safeParse(sent).error?.issues ?? []
  const problems = issues.map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    detail: message,
  }))
  if (problems.length > 0) throw invalidRequest(problems)
}

/** Whether a message is a request that the SDK passes on to the tools, unless headers are wrong. */
const isToolCall = ({ jsonrpc, method, id }: RpcMessage) =>
  jsonrpc === '2.0' &&
  method === 'tools/call' &&
  (typeof id === 'string' || Number.isSafeInteger(id))
