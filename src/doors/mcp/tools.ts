import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { errorCatalogue, type RefusalData, refuse } from '../../model/errors.ts'
import { NETWORK_VERSION } from '../../model/ids.ts'
import { networkProfile } from '../../model/network.ts'
import { type Capability, catalogue } from '../../operations/catalog.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { parseInput } from '../parse-input.ts'
import type { RunOperation } from '../run-operation.ts'

const byTool = new Map<string, Capability>()
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

/** One MCP server per session, with the catalogue's tools. `requestOf` gives the HTTP request that brought a message. */
export function createToolServer(
  run: RunOperation,
  publicUrl: string,
  requestOf: (extra: { authInfo?: { extra?: Record<string, unknown> } }) => FastifyRequest,
): Server {
  const server = new Server(
    { name: networkProfile.agent, title: networkProfile.name, version: NETWORK_VERSION },
    { capabilities: { tools: {} }, instructions: networkProfile.description },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const call = callOf(params.name, params.arguments ?? {})
    const { result } = await run({ door: 'mcp', request: requestOf(extra), ...call })
    return 'refusal' in result ? failed(result.refusal, publicUrl) : succeeded(result.output)
  })
  return server
}

function callOf(name: string, args: Record<string, unknown>) {
  const operation = byTool.get(name)?.operation
  if (!operation) {
    const read = () => {
      throw refuse('unknown_tool', undefined, { tools: [...byTool.keys()] })
    }
    return { target: null, read }
  }
  return {
    target: { operation, tier: operation.tier },
    read: () => ({ input: parseInput(operation.input, args), from: null }),
  }
}

const succeeded = (output: Record<string, unknown>): CallToolResult => ({
  structuredContent: output,
  content: [{ type: 'text', text: JSON.stringify(output) }],
})

function failed({ code, message, facts }: RefusalData, publicUrl: string): CallToolResult {
  const { retryable } = errorCatalogue[code]
  const error = { ...facts, code, message, retryable, docs: `${publicUrl}/errors#${code}` }
  return {
    isError: true,
    content: [
      { type: 'text', text: message },
      { type: 'text', text: JSON.stringify({ error }) },
    ],
  }
}
