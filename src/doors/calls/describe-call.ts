import type { FastifyRequest } from 'fastify'
import { redactBody, redactText, type Visible } from '../../accounts/rules/redact.ts'
import type { CallBodies, CallDetails } from '../../accounts/store/request-log.ts'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { RefusalData } from '../../base/errors.ts'
import type { DoorName } from '../../contract/operation.ts'
import { catalogue, type NetworkOperation } from '../../network.ts'
import { bodyBytes, isObject } from '../http/json-body.ts'
import { sentUrl } from '../http/sent-url.ts'
import { errorBody, instanceOf, problemOf } from './refusals.ts'
import { shownFields } from './shown-fields.ts'

type Fields = Record<string, unknown>

/** A call and its answer, as known to the door. */
export type Exchange = {
  door: DoorName
  request: FastifyRequest
  operation: NetworkOperation | undefined
  /** the intent or tool called; none at REST, which has routes */
  target?: string | null | undefined
  /** The HTTP status of a success, if not always 200. */
  statusOf?: ((output: Fields) => number) | undefined
  /** null until it has been read */
  input: Fields | null
  result: { output: Fields; json?: Buffer } | { refusal: RefusalData }
}

const MAX_PATH = 300
const MAX_MESSAGE = 1_000

/** The log entry of a call, without secrets or guests' details. */
export function describeCall(exchange: Exchange, publicUrl: string, hasBodies: boolean) {
  const { request, result } = exchange
  const { url: route = '' } = request.routeOptions
  const path = pathOf(request)
  const isRest = exchange.door === 'rest'
  const details: CallDetails = {
    method: request.method,
    // Only what a caller puts into a path can be secret.
    path: path === route ? path : storable(path, MAX_PATH),
    target: isRest ? route.replaceAll(/:(\w+)/g, '{$1}') : (exchange.target ?? null),
    status: statusOf(exchange),
    message: 'refusal' in result ? storable(result.refusal.message, MAX_MESSAGE) : null,
    subject_id: subjectOf(exchange),
  }
  return hasBodies ? { ...details, ...bodiesOf(exchange, publicUrl) } : details
}

/** The path as decoded by the router, because a percent-encoded secret would not be recognised. */
const pathOf = ({ routeOptions, params }: FastifyRequest): string =>
  (routeOptions.url ?? '').replaceAll(
    /:(\w+)/g,
    (_, name: string) => (params as Record<string, string>)[name] ?? '',
  )

const storable = (text: string, max: number) => redactText(text).slice(0, max).toWellFormed()

const statusOf = ({ result, statusOf = () => 200 }: Exchange) =>
  'refusal' in result ? errorCatalogue[result.refusal.code].status : statusOf(result.output)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Operations whose `id` is that of a booking or of a group of bookings. */
const aboutBookings = new Set(
  catalogue
    .filter(({ rest }) => /\/(bookings|holds|itineraries)\/\{id\}/.test(rest.route))
    .map(({ operation }) => operation.name),
)

/** The booking or group named in the answer or else in the input. */
function subjectOf({ result, operation, input }: Exchange): string | null {
  const { id, hold_id } = input ?? {}
  const inputId = operation && aboutBookings.has(operation.name) ? id : hold_id
  const answerId = 'refusal' in result ? result.refusal.facts.booking_id : idIn(result.output)
  const subject = answerId ?? inputId
  return typeof subject === 'string' && uuid.test(subject) ? subject : null
}

const idIn = ({ booking, itinerary }: Fields) =>
  ((booking ?? itinerary) as { id?: unknown } | undefined)?.id

function bodiesOf(exchange: Exchange, publicUrl: string): CallBodies {
  const { request, result } = exchange
  const input = inputOf(exchange)
  const answer = 'refusal' in result ? refusedBody(exchange, publicUrl) : result.output
  const json = 'json' in result ? result.json : undefined
  const { value, isCut } = redactBody(answer, 'all')
  return {
    sent: JSON.stringify(input.value),
    sent_bytes: bodyBytes(request).length + (sentUrl(request).split('?', 2)[1]?.length ?? 0),
    is_sent_cut: input.isCut,
    answer: JSON.stringify(value),
    answer_bytes: json?.length ?? Buffer.byteLength(JSON.stringify(answer)),
    is_answer_cut: isCut,
  }
}

function refusedBody({ door, request, result }: Exchange, publicUrl: string): Fields {
  if (!('refusal' in result)) return {}
  const { id: request_id } = request
  return door === 'rest'
    ? problemOf(result.refusal, publicUrl, { instance: instanceOf(request), request_id })
    : { ...errorBody(result.refusal, publicUrl), request_id }
}

/** Header fields that REST treats as input. */
const inputHeaders = ['idempotency-key', 'prefer']

/** The input of a request, and the protocol's own fields in the frame around it. */
function inputOf({ door, request, operation }: Exchange): { value: Fields; isCut: boolean } {
  const visible = shownFields(operation)
  const bytes = bodyBytes(request)
  const query = redactBody({ ...(request.query as Fields) }, visible)
  const headers = inputHeaders.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, storable(value, MAX_PATH)]] : []
  })
  const body = bytes.length === 0 ? undefined : frames[door]?.(parsed(bytes), visible)
  return {
    value: {
      headers: Object.fromEntries(headers),
      query: query.value,
      ...(body && { body: body.value }),
    },
    isCut: query.isCut || body?.isCut === true,
  }
}

type Frame = (body: unknown, visible: Visible) => ReturnType<typeof redactBody>

const frames: Partial<Record<DoorName, Frame>> = {
  rest: redactBody,
  a2a: frameOf(['protocol', 'from', 'intent'], 'payload', redactBody),
  mcp: frameOf(['jsonrpc', 'id', 'method'], 'params', frameOf(['name'], 'arguments', redactBody)),
}

/** Shows these fields and the content of `inner`; of other fields, only the names. */
function frameOf(names: readonly string[], inner: string, redactInner: Frame): Frame {
  return (body, visible) => {
    if (!isObject(body)) return redactBody(body, visible)
    const { [inner]: content, ...others } = body
    const frame = redactBody(others, new Set(names))
    const inside = content === undefined ? undefined : redactInner(content, visible)
    return {
      value: { ...(frame.value as Fields), ...(inside && { [inner]: inside.value }) },
      isCut: frame.isCut || inside?.isCut === true,
    }
  }
}

/** Parses a body as JSON; for any other text, returns only the position of the fault. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    return `[not JSON${position ? ` from character ${position} on` : ''}]`
  }
}
