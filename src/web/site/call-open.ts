import type { FastifyReply } from 'fastify'
import type { RefusalData } from '../../base/errors.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import type { RunOperation } from '../../doors/calls/run-operation.ts'
import { rateLimitHeaders } from '../../doors/guards/allowance.ts'
import type { NetworkOperation } from '../../network.ts'

/** The output of an operation, or its refusal, which also sets the page's status. */
export type OpenAnswer<O extends NetworkOperation> = {
  output?: Awaited<ReturnType<O['run']>>
  refusal?: RefusalData
}

export type CallOpen = ReturnType<typeof createCallOpen>

/** Calls operations for public pages: without a key, limited by address, logged as door `web`. */
export const createCallOpen =
  (run: RunOperation) =>
  async <O extends NetworkOperation>(
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
