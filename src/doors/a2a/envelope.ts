import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { catalogue } from '../../catalogue.ts'
import type { Operation } from '../../contract/define.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import { agentPattern, PROTOCOL } from '../../contract/rules/ids.ts'
import { isObject, readJsonObject } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'

/** Specification section 2.1; `protocol` and `from` are optional and have error codes of their own. */
const envelopeSchema = z.strictObject({
  protocol: z.unknown().optional(),
  from: z.unknown().optional(),
  intent: z.string().max(100),
  payload: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

const byIntent = new Map(
  catalogue.flatMap(({ operation, a2a, a2aAliases = [] }) =>
    [a2a, ...a2aAliases].map((intent) => [intent, operation]),
  ),
)
const intents = catalogue.map(({ a2a }) => a2a)

/**
 * Reads the body of a request as an envelope without judging it: `read` throws what is wrong with
 * it, once keys and quotas have been checked.
 */
export function readEnvelope(request: FastifyRequest) {
  try {
    const envelope = parseInput(envelopeSchema, readJsonObject(request))
    const { intent } = envelope
    const operation = byIntent.get(intent)
    return { intent, operation, read: () => inputOf(envelope, operation) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const read = () => {
      throw error
    }
    return { intent: null, operation: undefined, read }
  }
}

function inputOf(
  { protocol, from, payload }: z.output<typeof envelopeSchema>,
  operation: Operation | undefined,
) {
  if (protocol !== undefined && protocol !== PROTOCOL) throw refuse('invalid_protocol')
  if (!operation) throw refuse('unknown_intent', undefined, { intents })
  return { from: senderOf(from), input: parseInput(operation.input, payload) }
}

function senderOf(from: unknown): string | null {
  if (from === undefined) return null
  if (typeof from !== 'string' || !agentPattern.test(from)) throw refuse('invalid_from')
  return from
}
