import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import { invalidRequest, type Refusal, type RefusalData, refuse } from '../../base/errors.ts'
import type { NetworkCapability } from '../../network.ts'
import type { PaymentRequired } from '../../x402/operations/payment-required.ts'
import type { SettleResponse } from '../../x402/schema.ts'
import type { DoorCall } from '../calls/call.ts'
import { challengeOf } from '../calls/challenge.ts'
import { objectFrom } from '../calls/lenient-input.ts'
import { nearestName } from '../calls/nearest-name.ts'
import { parseEnvelope } from '../calls/parse-input.ts'
import { receiptIn, requiredBy, settlementOf, withoutPayment } from '../calls/payments.ts'
import { createReadFields } from '../calls/read-fields.ts'
import { errorBody } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { explained, withoutKey } from '../calls/without-key.ts'
import { holdsKey } from '../guards/authentication.ts'
import { isObject } from '../http/json-body.ts'
import { sentUrl } from '../http/sent-url.ts'
import { inToolNames } from './tool-refusal.ts'
import { toolNamesOf } from './tool-schema.ts'
import { type Called, callOf, isStructured, type Tool, tools } from './tools.ts'

/**
 * The HTTP request of a message, and its raw params. Both pass through the SDKs as auth info,
 * because an SDK would drop or refuse params before the quota, the log and the catalogue see them.
 */
export type ToolCall = {
  request: FastifyRequest
  params: unknown
  /** set once an SDK has passed the call on, after which limits count it */
  isTaken?: true
  /**
   * Called once it is certain whether the call needs a sign-in, with its refusal if so. Where it is
   * absent, only the result says how to sign in.
   */
  onSignIn?: (refusal: RefusalData | null) => void
}

/**
 * The result of `tools/call` in both SDKs. It contains only text, because every client shows text
 * to its model, and a client that also shows structured content would pay for it twice. Clients
 * that want structured content as well ask for it in the address.
 */
type ToolResult = {
  content: { type: 'text'; text: string }[]
  isError?: true
  /** the answer once more; or what a paid tool requires (x402 MCP transport) */
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

type Answer = Record<string, unknown>

export type CallTool = (call: ToolCall) => Promise<ToolResult>

const SIGN_IN_NEEDED = `${errorCatalogue.unauthenticated.title}.`

/** Claude Code refuses answers above 25,000 tokens. */
const MAX_CHARS = 60_000

/** The key of a payment (x402 MCP transport) and, with `-response` appended, of its outcome. */
const PAYMENT = 'x402/payment'

/** Where ChatGPT reads how to sign in, as it does not see the HTTP status of a call. */
const CHALLENGE = 'mcp/www_authenticate'

const paramsSchema = z.object({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, 'expected an object').default({}),
})

const readers = new Map(
  [...tools.values()].map(({ actions, document }) => {
    const readerOf = (one: NetworkCapability) => createReadFields(one, toolNamesOf(one, document))
    return [actions, new Map([...actions.values()].map((one) => [one, readerOf(one)]))]
  }),
)

/** Creates the only path from `tools/call` to the operations; refusals become error results. */
export function createCallTool({ run, publicUrl }: Pick<DoorDeps, 'run' | 'publicUrl'>): CallTool {
  const refuseTool = createRefuseTool(publicUrl)
  const signInRefusal = createSignInRefusal(publicUrl)
  return async (call) => {
    call.isTaken = true
    const { request } = call
    const params = plainParams(call.params)
    const called = calledBy(params)
    const { operation, mcp } = called.capability ?? {}
    const { tier, mustSignIn } = accessOf(request, params, called.capability)
    const read = () => {
      if (!mustSignIn) call.onSignIn?.(null)
      return readCall(called, params)
    }
    const target = mcp ? [mcp.tool, mcp.action].filter(Boolean).join(' ') : null
    const about = { request, operation, read, target, ...(tier && { tier }) }
    const paying = { payment: () => paymentIn(params), resource: `mcp://tool/${mcp?.tool}` }
    const { result } = await run({ door: 'mcp', maxChars: MAX_CHARS, ...about, ...paying })
    if ('refusal' in result) {
      const refusal = inToolNames(result.refusal, called)
      return refuseTool(call, mustSignIn ? signInRefusal(refusal, about) : refusal)
    }
    call.onSignIn?.(null)
    return answerOf(result.output, called, { request, publicUrl })
  }
}

/** The tier of a call, which without a key may be open at MCP alone, and whether it needs a key. */
function accessOf(request: FastifyRequest, params: unknown, capability?: NetworkCapability) {
  const { operation, mcp } = capability ?? {}
  if (!operation || request.headers.authorization !== undefined) return { tier: operation?.tier }
  const tier = mcp?.keyless ? 'open' : operation.tier
  const mayPay = operation.payable && declaresX402(request, params)
  return { tier, mustSignIn: tier !== 'open' && !mayPay }
}

/** Makes the result of a refusal, and lets the door ask for a sign-in if that would help. */
const createRefuseTool =
  (publicUrl: string) =>
  ({ request, onSignIn }: ToolCall, refusal: RefusalData): ToolResult => {
    const required = requiredBy(refusal)
    const challenge = required ? undefined : challengeOf(request, refusal, publicUrl, true)
    const meta = challenge && { _meta: { [CHALLENGE]: [challenge] } }
    const isToSignIn = meta && !holdsKey(request)
    onSignIn?.(isToSignIn ? { ...refusal, facts: { ...refusal.facts, ...meta } } : null)
    if (required) return askToPay(refusal, required)
    const error = { ...errorBody(refusal, publicUrl), request_id: request.id }
    return { isError: true, content: textOf({ error }), ...meta }
  }

/** Params whose `arguments` may be null, empty or JSON text. */
const plainParams = (params: unknown): unknown =>
  isObject(params) ? { ...params, arguments: objectFrom(params.arguments) } : params

type Asking = { request: FastifyRequest; publicUrl: string }

function answerOf(answer: Answer, { tool, capability }: Called, asking: Asking): ToolResult {
  const receipt = capability?.operation.payable && receiptIn(answer)
  const output = tool?.document?.documentsOf(answer, asking.publicUrl) ?? answer
  const isTwice = tool?.document || isStructured(sentUrl(asking.request))
  return {
    content: textOf(output),
    ...(isTwice && { structuredContent: output }),
    ...(receipt && { _meta: metaOf(receipt) }),
  }
}

/** Whether a client pays per call: `_meta` or the address that it was configured with says x402. */
const declaresX402 = (request: FastifyRequest, params: unknown): boolean =>
  /[?&]x402=(?:1|true)(?:&|$)/.test(sentUrl(request)) ||
  (isObject(params) && /x402/i.test(JSON.stringify(params._meta ?? null)))

/** The payment in a call's `_meta`. */
const paymentIn = (params: unknown): unknown =>
  isObject(params) && isObject(params._meta) ? params._meta[PAYMENT] : undefined

const metaOf = (receipt: SettleResponse) => ({ [`${PAYMENT}-response`]: receipt })

/** The payment requirements, as structured content and as text (x402 MCP transport). */
function askToPay(refusal: RefusalData, required: PaymentRequired): ToolResult {
  const settlement = settlementOf(refusal)
  const { code, message, facts } = withoutPayment(refusal)
  const structuredContent = { ...facts, ...required, code, message }
  return {
    isError: true,
    content: textOf(structuredContent),
    structuredContent,
    ...(settlement && { _meta: metaOf(settlement) }),
  }
}

const calledBy = (params: unknown): Called =>
  isObject(params) ? callOf(String(params.name), params.arguments) : {}

function readCall({ tool, capability, fields = {} }: Called, params: unknown) {
  const { name } = parseEnvelope(paramsSchema, params)
  if (!tool) throw unknownTool(name)
  const readFields = capability && readers.get(tool.actions)?.get(capability)
  if (!readFields) throw unknownAction(tool)
  return readFields(fields)
}

/**
 * What a call without a key is told, whatever else is wrong with it: how its user signs in, or
 * pays. Limits and our own faults stay what they are.
 */
function createSignInRefusal(publicUrl: string) {
  const howToSignIn =
    `Ask your user to connect to this MCP server, which signs in with OAuth, or to sign up at ` +
    `${publicUrl}/sign-up and to add the header \`Authorization: Bearer <API_KEY>\` to its ` +
    `configuration. Without signing in you can call ${withoutKey.mcp.join(', ')}.`
  return (refusal: RefusalData, call: Pick<DoorCall, 'request' | 'operation'>): RefusalData => {
    const { status } = errorCatalogue[refusal.code]
    if (status === 429 || status >= 500) return refusal
    const required = requiredBy(refusal)
    const orPay = required ? ' Or pay for this call (x402), as `accepts` says.' : ''
    const message = `${SIGN_IN_NEEDED} ${howToSignIn}${orPay}`
    const facts = required ? { ...withoutPayment(refusal).facts, ...required } : {}
    return explained(
      { code: 'unauthenticated', message, facts },
      { ...call, door: 'mcp' },
      publicUrl,
    )
  }
}

const textOf = (body: Record<string, unknown>) => [
  { type: 'text' as const, text: JSON.stringify(body) },
]

function unknownTool(name: string): Refusal {
  const names = [...tools.keys()]
  const nearest = nearestName(name, names)
  const what = nearest && `There is no tool \`${name.slice(0, 60)}\`. Did you mean \`${nearest}\`?`
  return refuse('unknown_tool', what, { ...(nearest && { nearest }), tools: names })
}

const unknownAction = ({ actions }: Tool) =>
  invalidRequest([
    { pointer: '/action', detail: `expected one of ${[...actions.keys()].join(', ')}` },
  ])
