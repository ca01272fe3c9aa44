import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { catalogue } from '../../catalogue.ts'
import type { Capability } from '../../contract/capability.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import { agentPattern, PROTOCOL } from '../../contract/rules/ids.ts'
import { isObject, readJsonObject } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'

/** Specification section 2.1; `protocol` and `from` may be absent, and have codes of their own when they are wrong. */
const envelopeSchema = z.strictObject({
  protocol: z.unknown().optional(),
  from: z.unknown().optional(),
  intent: z.string().max(100),
  payload: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

const byIntent = new Map(
  catalogue.flatMap((capability) =>
    [capability.a2a, capability.formerly ?? capability.a2a].map((intent) => [intent, capability]),
  ),
)
const intents = catalogue.map(({ a2a }) => a2a)

/** An envelope as far as it was understood. `read` throws what is wrong with it, once keys and quotas were looked at. */
export type Envelope = {
  intent: string | null
  capability: Capability | null
  read(): { payload: Record<string, unknown>; from: string | null }
}

/** Takes the body of a request as an envelope, without judging it yet. */
export function readEnvelope(request: FastifyRequest): Envelope {
  try {
    const envelope = parseInput(envelopeSchema, readJsonObject(request))
    const capability = byIntent.get(envelope.intent) ?? null
    return { intent: envelope.intent, capability, read: () => judge(envelope) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const read = () => {
      throw error
    }
    return { intent: null, capability: null, read }
  }
}

function judge({ protocol, from, intent, payload }: z.output<typeof envelopeSchema>) {
  if (protocol !== undefined && protocol !== PROTOCOL) throw refuse('invalid_protocol')
  if (!byIntent.has(intent)) {
    throw refuse('unknown_intent', undefined, { intents })
  }
  return { payload, from: senderOf(from) }
}

function senderOf(from: unknown): string | null {
  if (from === undefined) return null
  if (typeof from !== 'string' || !agentPattern.test(from)) throw refuse('invalid_from')
  return from
}
