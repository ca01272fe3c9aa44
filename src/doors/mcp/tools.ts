import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import * as sdk from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { catalogue } from '../../catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { NETWORK_VERSION } from '../../contract/rules/ids.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { describeOperation } from '../describe-operation.ts'
import { isObject } from '../json-body.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { parseInput } from '../parse-input.ts'
import { errorBody } from '../refusals.ts'
import type { RunOperation } from '../run-operation.ts'

const byTool = new Map<unknown, Operation>()
const tools: sdk.Tool[] = []
for (const { operation, mcp } of catalogue) {
  if (!mcp) continue
  byTool.set(mcp.tool, operation)
  tools.push({
    name: mcp.tool,
    title: operation.summary,
    description: describeOperation(operation),
    inputSchema: jsonSchemaOf(operation.input, 'input') as sdk.Tool['inputSchema'],
    outputSchema: jsonSchemaOf(operation.output, 'output') as sdk.Tool['inputSchema'],
    annotations: { title: operation.summary, ...mcp.annotations },
  })
}

/**
 * The HTTP request of a message, and its raw params. Both bypass the SDK as its auth info: the SDK
 * would drop or refuse params before quota, log and catalogue see them.
 */
export type ToolCall = { request: FastifyRequest; params: unknown }

const paramsSchema = z.object({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

/** Creates the MCP server of a session, with the catalogue's tools. */
export function createToolServer(run: RunOperation, publicUrl: string): Server {
  const server = new Server(
    { name: networkProfile.agent, title: networkProfile.name, version: NETWORK_VERSION },
    { capabilities: { tools: {} }, instructions: networkProfile.description },
  )
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(sdk.CallToolRequestSchema, async (_, { authInfo }) => {
    const call = authInfo?.extra as ToolCall
    const { request, params } = call
    const operation = isObject(params) ? byTool.get(params.name) : undefined
    const read = () => {
      const { arguments: input } = parseInput(paramsSchema, params)
      if (!operation) throw refuse('unknown_tool', undefined, { tools: [...byTool.keys()] })
      return { input: parseInput(operation.input, input) }
    }
    const { result } = await run({ door: 'mcp', request, operation, read })
    if ('output' in result) return resultOf(result.output)
    const error = { ...errorBody(result.refusal, publicUrl), request_id: request.id }
    const content = [textOf(error.message), textOf(JSON.stringify({ error }))]
    return { isError: true, content }
  })
  return server
}

const textOf = (text: string) => ({ type: 'text' as const, text })

const resultOf = (output: Record<string, unknown>): sdk.CallToolResult => ({
  structuredContent: output,
  content: [textOf(JSON.stringify(output))],
})
