import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { catalogue } from '../../catalogue.ts'
import type { Capability } from '../../contract/capability.ts'
import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import { type RefusalData, refuse } from '../../contract/rules/errors.ts'
import { NETWORK_VERSION } from '../../contract/rules/ids.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { isObject } from '../json-body.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { parseInput } from '../parse-input.ts'
import type { RunOperation } from '../run-operation.ts'

const byTool = new Map<unknown, Capability>()
const tools: Tool[] = []
for (const capability of catalogue) {
  if (!capability.mcp) continue
  const { operation, mcp } = capability
  byTool.set(mcp.tool, capability)
  tools.push({
    name: mcp.tool,
    title: operation.summary,
    description: operation.description,
    inputSchema: jsonSchemaOf(operation.input, 'input') as Tool['inputSchema'],
    outputSchema: jsonSchemaOf(operation.output, 'output') as Tool['inputSchema'],
    annotations: { title: operation.summary, ...mcp.annotations },
  })
}

/**
 * The HTTP request that brought a message, and its params as they came. Both ride past the SDK as its auth info: the
 * SDK would drop or refuse params before quota, log and catalogue see them.
 */
export type ToolCall = { request: FastifyRequest; params: unknown }

const paramsSchema = z.object({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

/** One MCP server per session, with the catalogue's tools. */
export function createToolServer(run: RunOperation, publicUrl: string): Server {
  const server = new Server(
    { name: networkProfile.agent, title: networkProfile.name, version: NETWORK_VERSION },
    { capabilities: { tools: {} }, instructions: networkProfile.description },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async (_, { authInfo }) => {
    const call = authInfo?.extra as ToolCall
    const { request } = call
    const { result } = await run({ door: 'mcp', request, ...callOf(call.params) })
    if ('output' in result) return succeeded(result.output)
    return failed(result.refusal, publicUrl, request.id)
  })
  return server
}

function callOf(params: unknown) {
  const operation = isObject(params) ? byTool.get(params.name)?.operation : undefined
  return {
    target: operation ? { operation, tier: operation.tier } : null,
    read: () => {
      const call = parseInput(paramsSchema, params)
      if (!operation) throw refuse('unknown_tool', undefined, { tools: [...byTool.keys()] })
      return { input: parseInput(operation.input, call.arguments), from: null }
    },
  }
}

const succeeded = (output: Record<string, unknown>): CallToolResult => ({
  structuredContent: output,
  content: [{ type: 'text', text: JSON.stringify(output) }],
})

function failed(refusal: RefusalData, publicUrl: string, requestId: string): CallToolResult {
  const { code, message, facts } = refusal
  const { retryable } = errorCatalogue[code]
  const docs = `${publicUrl}/errors#${code}`
  const error = { ...facts, code, message, retryable, docs, request_id: requestId }
  return {
    isError: true,
    content: [
      { type: 'text', text: message },
      { type: 'text', text: JSON.stringify({ error }) },
    ],
  }
}
