import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ping } from '../../agents/operations/ping.ts'
import { invalidRequest, Refusal, type RefusalData, refuse } from '../../base/errors.ts'
import { agentPattern, NETWORK_VERSION, PROTOCOL } from '../../base/ids.ts'
import type { Account, Operation } from '../../contract/operation.ts'
import { catalogue, type NetworkCapability } from '../../network.ts'
import { objectFrom } from '../calls/lenient-input.ts'
import { nearestName } from '../calls/nearest-name.ts'
import { parseEnvelope } from '../calls/parse-input.ts'
import { paymentOf, receiptIn, withoutPayment } from '../calls/payments.ts'
import { createReadFields, inputNames, type ReadFields } from '../calls/read-fields.ts'
import { errorBody, refusalFrom, setRefusal } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { isObject, keepBodyBytes, readJsonObject } from '../http/json-body.ts'
import { noteMethods, refuseOtherMethods } from '../http/refuse-other-methods.ts'
import { callOf, type Called as ToolCall } from '../mcp/tools.ts'
import { paymentMeta, receiptMeta } from './payment-meta.ts'

const PROTOCOL_VERSION = 'v1'

/** `POST /a2a/v1` (specification section 4.1): every response, even a refusal, is an envelope. */
export async function a2aDoor(
  scope: FastifyInstance,
  { run, guards, services, publicUrl }: DoorDeps,
) {
  const metaOf = (reply: FastifyReply, account: Account | null, ignored: readonly string[]) => ({
    protocol_version: PROTOCOL_VERSION,
    network_version: NETWORK_VERSION,
    fee_pct: services.settings.feePct,
    tier: account?.tier ?? null,
    request_id: reply.request.id,
    ...(ignored.length > 0 && { ignored }),
  })

  const sendRefusal = (
    reply: FastifyReply,
    refusal: RefusalData,
    intent: string | null = null,
    account: Account | null = null,
    ignored: readonly string[] = [],
  ) => {
    const error = errorBody(withoutPayment(refusal), publicUrl)
    const meta = { ...metaOf(reply, account, ignored), ...paymentMeta(refusal) }
    return setRefusal(reply, refusal, publicUrl).send({ protocol: PROTOCOL, intent, error, meta })
  }

  keepBodyBytes(scope)
  scope.setErrorHandler((error, _, reply) => sendRefusal(reply, refusalFrom(error)))
  const methods = noteMethods(scope)

  scope.post('/a2a/v1', async (request, reply) => {
    const envelope = guards.isBlocked(request) ? unread : readEnvelope(request, publicUrl)
    const { intent, operation, read, ignored } = envelope
    const target = operation ? intent : null
    const payment = () => envelope.payment ?? paymentOf(request)
    const resource = `${publicUrl}/a2a/v1#${intent}`
    const call = { request, operation, read, payment, resource, target }
    const outcome = await run({ door: 'a2a', ...call })
    const { result, allowance, account } = outcome
    reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) {
      return sendRefusal(reply, result.refusal, intent, account, ignored)
    }
    return reply.send({
      protocol: PROTOCOL,
      from: 'agent://service',
      intent,
      // Section 4.1: `status` and the network version are also top-level members.
      ...(operation === ping && result.output),
      payload: result.output,
      meta: {
        ...metaOf(reply, account, ignored),
        ...(operation?.payable && receiptMeta(receiptIn(result.output))),
      },
    })
  })

  refuseOtherMethods(scope, methods)
}

const anObject = z.custom<Record<string, unknown>>(isObject, 'expected an object')

/**
 * Specification section 2.1; `protocol` and `from`, checked later, have their own error codes.
 * Other fields, such as `id`, `timestamp` or `to`, are ignored, which `meta.ignored` says.
 */
const envelopeSchema = z.object({
  protocol: z.preprocess(objectFrom, z.unknown().optional()),
  from: z.preprocess(objectFrom, z.unknown().optional()),
  intent: z.string().max(100),
  payload: z.preprocess(objectFrom, anObject.default({})),
  metadata: z.preprocess(objectFrom, anObject.optional()),
})

const byIntent = new Map<string, NetworkCapability>(catalogue.map((one) => [one.a2a, one]))
const intents = catalogue.map(({ a2a }) => a2a)
const readers = new Map<Operation, ReadFields>(
  catalogue.map((one) => [one.operation, createReadFields(one)]),
)

/** Stands in for the envelope of a call that will be refused anyway. */
const unread: ReturnType<typeof readEnvelope> = {
  intent: null,
  operation: undefined,
  payment: undefined,
  ignored: [],
  read: () => {
    throw refuse('rate_limited')
  },
}

const MAX_IGNORED = 20
const MAX_NAME = 100

const ignoredIn = (sent: Record<string, unknown>) =>
  Object.keys(sent)
    .filter((name) => !Object.hasOwn(envelopeSchema.shape, name))
    .slice(0, MAX_IGNORED)
    .map((name) => name.slice(0, MAX_NAME))

/** What envelopes often have, and no operation takes. */
const ofEnvelopes = ['id', 'timestamp', 'to', 'ttl_ms', 'agent_context']

/** As it may be written: `dryRun` and `dry-run` are `dry_run`. */
const spelled = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

const ofBookings = catalogue.filter(({ a2a }) => a2a.startsWith('booking.')).flatMap(inputNames)

/**
 * Refuses what the operation should have got: beside a payload, the names of its fields and of all
 * about bookings; without one, every name that envelopes do not usually have.
 */
function refuseMisplaced(
  { payload }: Envelope,
  { capability }: Called,
  ignored: readonly string[],
): void {
  const own = capability ? inputNames(capability) : []
  const names = new Set([...own, ...ofBookings].map(spelled))
  const isEmpty = Object.keys(payload).length === 0
  const misplaced = ignored.filter(
    (name) => !ofEnvelopes.includes(name) && (isEmpty || names.has(spelled(name))),
  )
  if (misplaced.length === 0) return
  const detail = 'not read here: send the fields of the operation in `payload`'
  throw invalidRequest(misplaced.map((name) => ({ pointer: `/${name}`, detail })))
}

/** Tells a client that speaks JSON-RPC what this address takes, and where MCP is. */
function refuseJsonRpc(sent: Record<string, unknown>, publicUrl: string): void {
  if ('intent' in sent || !('jsonrpc' in sent || 'method' in sent)) return
  const example = { intent: 'booking.search', payload: { query: 'sushi in Canggu' } }
  const what =
    `This address does not take JSON-RPC but an envelope: ${JSON.stringify(example)}. ` +
    `MCP, which is JSON-RPC, is at ${publicUrl}/mcp.`
  const errors = [{ pointer: '/intent', detail: 'required: the operation to run, as in `example`' }]
  throw refuse('invalid_request', what, { errors, example, mcp: `${publicUrl}/mcp` })
}

/** Reads an envelope without validating it; `read` throws its errors, after key and quota. */
function readEnvelope(request: FastifyRequest, publicUrl: string) {
  let ignored: string[] = []
  try {
    const sent = readJsonObject(request)
    refuseJsonRpc(sent, publicUrl)
    ignored = ignoredIn(sent)
    const envelope = parseEnvelope(envelopeSchema, sent)
    const { intent } = envelope
    const called = calledBy(envelope)
    refuseMisplaced(envelope, called, ignored)
    const { operation } = called.capability ?? {}
    const payment = envelope.metadata?.['x402.payment.payload']
    return { intent, operation, payment, ignored, read: () => inputOf(envelope, called) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const read = () => {
      throw error
    }
    return { intent: null, operation: undefined, payment: undefined, ignored, read }
  }
}

type Envelope = z.output<typeof envelopeSchema>
type Called = Pick<ToolCall, 'capability' | 'fields'>

/** The capability of an intent, or of the MCP tool that a caller names instead. */
function calledBy({ intent, payload }: Envelope): Called {
  const capability = byIntent.get(intent)
  return capability ? { capability, fields: payload } : callOf(intent, payload)
}

function inputOf({ protocol, from, intent }: Envelope, { capability, fields = {} }: Called) {
  if (protocol !== undefined && protocol !== PROTOCOL) throw refuse('invalid_protocol')
  const readFields = capability && readers.get(capability.operation)
  if (!readFields) throw unknownIntent(intent)
  const { input, understood } = readFields(fields)
  const isOther = capability.a2a !== intent
  const echoed = { ...understood, ...(isOther && { intent: capability.a2a }) }
  return { from: senderOf(from), input, understood: echoed }
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
