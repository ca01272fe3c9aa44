import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import { Refusal } from '../../../contract/rules/errors.ts'
import { parseInput } from '../../parse-input.ts'
import type { RunOperation } from '../../run-operation.ts'

type Input = Record<string, unknown>

/** An operation on behalf of whoever is signed in: answers its output, throws its refusal. */
export type CallOperation = <O extends Operation>(
  request: FastifyRequest,
  operation: O,
  input: Input,
) => Promise<z.output<O['output']>>

/** The dashboard's way to the operations, the same as every other door's. */
export const createCall =
  (run: RunOperation): CallOperation =>
  async <O extends Operation>(request: FastifyRequest, operation: O, input: Input) => {
    const read = () => ({ input: parseInput(operation.input, input) })
    const { result } = await run({ door: 'dashboard', request, operation, read })
    if ('refusal' in result) throw new Refusal(result.refusal)
    return result.output as z.output<O['output']>
  }
