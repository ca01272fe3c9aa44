import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type RefusalData, refuse } from '../../contract/rules/errors.ts'
import { isObject } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'
import { errorBody } from '../refusals.ts'
import type { DoorDeps } from '../run-operation.ts'
import { keylessTools, operationOfTool } from './tools.ts'

/**
 * The HTTP request of a message, and its raw params. Both bypass the SDKs as their auth info: an
 * SDK would drop or refuse params before quota, log and catalogue see them.
 */
export type ToolCall = {
  request: FastifyRequest
  params: unknown
  /** set once an SDK has passed the call on, so that limits have counted it */
  isTaken?: true
}

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
  const keyless = [...keylessTools.values()]
  const signUp = `${publicUrl}/sign-up`
  const howToGetKey =
    `Ask your user to sign up at ${signUp} and to add the header \`Authorization: Bearer ` +
    `<API_KEY>\` to the configuration of this MCP server. Without a key you can call ` +
    `${keyless.join(', ')}.`
  const errorOf = (refusal: RefusalData, isKeyless: boolean) => {
    const error = errorBody(refusal, publicUrl)
    if (!isKeyless || refusal.code !== 'unauthenticated') return error
    const message = `${error.message} ${howToGetKey}`
    return { ...error, message, sign_up: signUp, without_key: keyless }
  }
  return async (call) => {
    call.isTaken = true
    const { request, params } = call
    const operation = isObject(params) ? operationOfTool.get(params.name) : undefined
    const read = () => {
      const { arguments: input } = parseInput(paramsSchema, params)
      if (!operation)
        throw refuse('unknown_tool', undefined, { tools: [...operationOfTool.keys()] })
      return { input: parseInput(operation.input, input) }
    }
    const isKeyless = request.headers.authorization === undefined
    const tier = isKeyless && operation && keylessTools.has(operation) ? 'open' : operation?.tier
    const { result } = await run({ door: 'mcp', request, operation, read, ...(tier && { tier }) })
    if ('output' in result) return resultOf(result.output)
    const error = { ...errorOf(result.refusal, isKeyless), request_id: request.id }
    return { isError: true, content: [textOf(error.message), textOf(JSON.stringify({ error }))] }
  }
}

const textOf = (text: string) => ({ type: 'text' as const, text })

const resultOf = (output: Record<string, unknown>): ToolResult => ({
  structuredContent: output,
  content: [textOf(JSON.stringify(output))],
})
