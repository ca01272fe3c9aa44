import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ping } from '../../agents/operations/ping.ts'
import { Refusal, type RefusalData, refuse } from '../../base/errors.ts'
import { agentPattern, NETWORK_VERSION, PROTOCOL } from '../../base/ids.ts'
import type { Account, Operation } from '../../contract/operation.ts'
import { catalogue } from '../../network.ts'
import { nearestName } from '../calls/nearest-name.ts'
import { parseEnvelope } from '../calls/parse-input.ts'
import { paymentOf, receiptIn, withoutPayment } from '../calls/payments.ts'
import { createReadFields, type ReadFields } from '../calls/read-fields.ts'
import { errorBody, refusalFrom, setRefusal } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { isObject, keepBodyBytes, readJsonObject } from '../http/json-body.ts'
import { noteMethods, refuseOtherMethods } from '../http/refuse-other-methods.ts'
import { paymentMeta, receiptMeta } from './payment-meta.ts'

const PROTOCOL_VERSION = 'v1'

/** `POST /a2a/v1` (specification section 4.1): every response, even a refusal, is an envelope. */
export async function a2aDoor(
  scope: FastifyInstance,
  { run, guards, services, publicUrl }: DoorDeps,
) {
  const metaOf = (reply: FastifyReply, account: Account | null) => ({
    protocol_version: PROTOCOL_VERSION,
    network_version: NETWORK_VERSION,
    fee_pct: services.settings.feePct,
    tier: account?.tier ?? null,
    request_id: reply.request.id,
  })

  const sendRefusal = (
    reply: FastifyReply,
    refusal: RefusalData,
    intent: string | null = null,
    account: Account | null = null,
  ) => {
    const error = errorBody(withoutPayment(refusal), publicUrl)
    const meta = { ...metaOf(reply, account), ...paymentMeta(refusal) }
    return setRefusal(reply, refusal).send({ protocol: PROTOCOL, intent, error, meta })
  }

  keepBodyBytes(scope)
  scope.setErrorHandler((error, _, reply) => sendRefusal(reply, refusalFrom(error)))
  const methods = noteMethods(scope)

  scope.post('/a2a/v1', async (request, reply) => {
    const envelope = guards.isBlocked(request) ? unread : readEnvelope(request)
    const { intent, operation, read } = envelope
    const target = operation ? intent : null
    const payment = () => envelope.payment ?? paymentOf(request)
    const resource = `${publicUrl}/a2a/v1#${intent}`
    const call = { request, operation, read, payment, resource, target }
    const outcome = await run({ door: 'a2a', ...call })
    const { result, allowance, account } = outcome
    reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) return sendRefusal(reply, result.refusal, intent, account)
    return reply.send({
      protocol: PROTOCOL,
      from: 'agent://service',
      intent,
      // Section 4.1: `status` and the network version are also top-level members.
      ...(operation === ping && result.output),
      payload: result.output,
      meta: {
        ...metaOf(reply, account),
        ...(operation?.payable && receiptMeta(receiptIn(result.output))),
      },
    })
  })

  refuseOtherMethods(scope, methods)
}

/** Specification section 2.1; `protocol` and `from`, checked later, have their own error codes. */
const envelopeSchema = z.strictObject({
  protocol: z.unknown().optional(),
  from: z.unknown().optional(),
  intent: z.string().max(100),
  payload: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
  metadata: z.custom<Record<string, unknown>>(isObject, 'expected an object').optional(),
})

const byIntent = new Map(catalogue.map(({ operation, a2a }) => [a2a, operation]))
const intents = catalogue.map(({ a2a }) => a2a)
const readers = new Map<Operation, ReadFields>(
  catalogue.map((one) => [one.operation, createReadFields(one)]),
)

/** Stands in for the envelope of a call that will be refused anyway. */
const unread: ReturnType<typeof readEnvelope> = {
  intent: null,
  operation: undefined,
  payment: undefined,
  read: () => {
    throw refuse('rate_limited')
  },
}

/** Reads an envelope without validating it; `read` throws its errors, after key and quota. */
function readEnvelope(request: FastifyRequest) {
  try {
    const envelope = parseEnvelope(envelopeSchema, readJsonObject(request))
    const { intent } = envelope
    const operation = byIntent.get(intent)
    const payment = envelope.metadata?.['x402.payment.payload']
    return { intent, operation, payment, read: () => inputOf(envelope, operation) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const read = () => {
      throw error
    }
    return { intent: null, operation: undefined, payment: undefined, read }
  }
}

function inputOf(
  { protocol, from, intent, payload }: z.output<typeof envelopeSchema>,
  operation: Operation | undefined,
) {
  if (protocol !== undefined && protocol !== PROTOCOL) throw refuse('invalid_protocol')
  const readFields = operation && readers.get(operation)
  if (!readFields) throw unknownIntent(intent)
  return { from: senderOf(from), ...readFields(payload) }
}

function unknownIntent(intent: string): Refusal {
  const nearest = nearestName(intent, intents)
  const what = nearest && `There is no intent \`${intent}\`. Did you mean \`${nearest}\`?`
  return refuse('unknown_intent', what, { ...(nearest && { nearest }), intents })
}

function senderOf(from: unknown): string | null {
  if (from === undefined) return null
  if (typeof from !== 'string' || !agentPattern.test(from)) throw refuse('invalid_from')
  return from
}
