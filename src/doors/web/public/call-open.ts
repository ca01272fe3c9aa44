import type { FastifyReply } from 'fastify'
import type { Operation } from '../../../contract/operation.ts'
import type { RefusalData } from '../../../contract/rules/errors.ts'
import { rateLimitHeaders } from '../../guards/allowance.ts'
import { parseInput } from '../../parse-input.ts'
import { setRefusal } from '../../refusals.ts'
import type { RunOperation } from '../../run-operation.ts'

/** The answer of an operation, or its refusal, whose status the page then has. */
export type OpenAnswer<O extends Operation> = {
  output?: Awaited<ReturnType<O['run']>>
  refusal?: RefusalData
}

export type CallOpen = ReturnType<typeof createCallOpen>

/** Calls operations for public pages: without a key, limited by address, logged as door `web`. */
export const createCallOpen =
  (run: RunOperation) =>
  async <O extends Operation>(
    reply: FastifyReply,
    operation: O,
    input: Record<string, unknown>,
  ): Promise<OpenAnswer<O>> => {
    const { request } = reply
    const read = () => ({ input: parseInput(operation.input, input) })
    const { result, allowance } = await run({ door: 'web', request, operation, tier: 'open', read })
    reply.headers(rateLimitHeaders(allowance))
    if ('output' in result) return { output: result.output as Awaited<ReturnType<O['run']>> }
    setRefusal(reply, result.refusal)
    return { refusal: result.refusal }
  }
