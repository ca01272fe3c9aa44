import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../contract/rules/errors.ts'
import { isObject } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'
import { errorBody } from '../refusals.ts'
import type { DoorDeps } from '../run-operation.ts'
import { operationOfTool } from './tools.ts'

/**
 * The HTTP request of a message, and its raw params. Both bypass the SDKs as their auth info: an
 * SDK would drop or refuse params before quota, log and catalogue see them.
 */
export type ToolCall = { request: FastifyRequest; params: unknown }

/** What `tools/call` returns, in both SDKs. */
type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

export type CallTool = (call: ToolCall) => Promise<ToolResult>

const paramsSchema = z.object({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

/** Creates the one way from `tools/call` to the operations; a refusal is a result that says so. */
export function createCallTool({ run, publicUrl }: Pick<DoorDeps, 'run' | 'publicUrl'>): CallTool {
  return async ({ request, params }) => {
    const operation = isObject(params) ? operationOfTool.get(params.name) : undefined
    const read = () => {
      const { arguments: input } = parseInput(paramsSchema, params)
      if (!operation)
        throw refuse('unknown_tool', undefined, { tools: [...operationOfTool.keys()] })
      return { input: parseInput(operation.input, input) }
    }
    const { result } = await run({ door: 'mcp', request, operation, read })
    if ('output' in result) return resultOf(result.output)
    const error = { ...errorBody(result.refusal, publicUrl), request_id: request.id }
    return { isError: true, content: [textOf(error.message), textOf(JSON.stringify({ error }))] }
  }
}

const textOf = (text: string) => ({ type: 'text' as const, text })

const resultOf = (output: Record<string, unknown>): ToolResult => ({
  structuredContent: output,
  content: [textOf(JSON.stringify(output))],
})
