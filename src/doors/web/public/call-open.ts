import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/operation.ts'
import type { RefusalData } from '../../../contract/rules/errors.ts'
import { rateLimitHeaders } from '../../guards/allowance.ts'
import { parseInput } from '../../parse-input.ts'
import type { RunOperation } from '../../run-operation.ts'

/** What an operation answered, or why it did not. */
export type Answer<O extends Operation> =
  | { output: Awaited<ReturnType<O['run']>>; refusal?: undefined }
  | { output?: undefined; refusal: RefusalData }

/** Runs an operation for a page that needs no key: the same as agents call, under the limit of the caller's address. */
export type CallOpen = <O extends Operation>(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: O,
  input: Record<string, unknown>,
) => Promise<Answer<O>>

/** The way of public pages to operations: its log lines and figures are those of the door `web`. */
export function createCallOpen(run: RunOperation): CallOpen {
  return async <O extends Operation>(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: O,
    input: Record<string, unknown>,
  ) => {
    const read = () => ({ input: parseInput(operation.input, input), from: null })
    const target = { operation: operation as Operation, tier: 'open' as const }
    const { result, allowance } = await run({ door: 'web', request, target, read })
    if (allowance) reply.headers(rateLimitHeaders(allowance))
    return 'refusal' in result
      ? { refusal: result.refusal }
      : { output: result.output as Awaited<ReturnType<O['run']>> }
  }
}
