import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { invalidRequest, Refusal, type RefusalData, refusalData } from '../../base/errors.ts'
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { sentPath } from '../http/sent-url.ts'
import { challengeOf } from './challenge.ts'
import { forVersion1, requiredHeaders } from './payments.ts'

const RETRY_AFTER_SECONDS = 5

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** PostgreSQL's errors for NUL in text and in JSON, which mean that a caller sent one. */
const nulCodes = ['22021', '22P05']
const withNul = invalidRequest([{ pointer: '', detail: 'expected text without NUL (U+0000)' }]).data

/** Translates any error into the catalogue; unforeseen errors become a bare `internal_error`. */
export function refusalFrom(error: unknown): RefusalData {
  if (error instanceof Refusal) return error.data
  if (isDatabaseUnavailable(error)) {
    return refusalData('service_unavailable', undefined, { retry_after: RETRY_AFTER_SECONDS })
  }
  if (!(error instanceof Error)) return refusalData('internal_error')
  const code = 'code' in error ? String(error.code) : ''
  if (nulCodes.includes(code)) return withNul
  const mapped = frameworkCodes[code]
  if (mapped) return refusalData(mapped)
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  return refusalData(status >= 400 && status < 500 ? 'malformed_request' : 'internal_error')
}

/** Refusals that occur in floods; they are counted in metrics but not logged. */
const floods: readonly string[] = ['rate_limited', 'account_rate_limited', 'too_many_in_flight']

/** The log level of a code: `error` for our own faults, `warn` for overload. */
export function levelOf(code: ErrorCode | 'ok'): 'debug' | 'info' | 'warn' | 'error' {
  if (floods.includes(code)) return 'debug'
  if (code === 'overloaded') return 'warn'
  return code !== 'ok' && errorCatalogue[code].status >= 500 ? 'error' : 'info'
}

/** Whether the caller closed the connection mid-request, which resembles a lost database. */
const hasLeft = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/** The refusal of a failed request; logs it unless the caller caused it. */
export function loggedRefusal(error: unknown, request: FastifyRequest, log: Log): RefusalData {
  const refusal = hasLeft(request) ? refusalData('malformed_request') : refusalFrom(error)
  const level = levelOf(refusal.code)
  const line = { request_id: request.id, code: refusal.code, error: loggable(error) }
  if (level === 'warn' || level === 'error') log[level](line, 'request failed')
  return refusal
}

/**
 * Sets the status and header fields of a refusal, whatever format its body has. Doors for programs
 * pass the public URL, because they also say how to sign in.
 */
export function setRefusal(
  reply: FastifyReply,
  refusal: RefusalData,
  publicUrl?: string,
): FastifyReply {
  const { code, facts } = refusal
  const challenge = publicUrl && challengeOf(reply.request, refusal, publicUrl)
  return reply.code(errorCatalogue[code].status).headers({
    ...(challenge && { 'www-authenticate': challenge }),
    ...(typeof facts.retry_after === 'number' && { 'retry-after': String(facts.retry_after) }),
    ...(facts.replayed === true && { 'idempotent-replayed': 'true' }),
    ...requiredHeaders(refusal),
  })
}

/** For lack of a valid key, adds the page where a user gets one. */
const withSignUp = ({ code, message, facts }: RefusalData, publicUrl: string): RefusalData => {
  const sign_up = code === 'unauthenticated' && { sign_up: `${publicUrl}/sign-up` }
  return { code, message, facts: { ...facts, ...sign_up } }
}

/** The body of a refusal at A2A and MCP; `docs` links to the page about its code. */
export function errorBody(refusal: RefusalData, publicUrl: string) {
  const { code, message, facts } = withSignUp(refusal, publicUrl)
  const { retryable } = errorCatalogue[code]
  return { ...facts, code, message, retryable, docs: `${publicUrl}/errors#${code}` }
}

/** The media type of a problem, with its charset. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** A problem (RFC 9457) with the facts as extension members; `where` identifies the request. */
export function problemOf(
  refusal: RefusalData,
  publicUrl: string,
  where: { instance?: string | undefined; request_id: string },
) {
  const { code, message, facts } = withSignUp(refusal, publicUrl)
  const { status, title, retryable } = errorCatalogue[code]
  const type = `${publicUrl}/errors#${code}`
  return { ...forVersion1(facts), type, title, status, detail: message, code, retryable, ...where }
}

/** The path of a request, without the token in the address of a venue's or guest's page. */
export function instanceOf(request: FastifyRequest): string {
  const path = sentPath(request)
  const { url = path } = request.routeOptions
  return /^\/+(?:venue|guest|pay)(?=\/)/.exec(url)?.[0] ?? path
}

export function sendProblem(reply: FastifyReply, publicUrl: string, refusal: RefusalData) {
  const where = { instance: instanceOf(reply.request), request_id: reply.request.id }
  return setRefusal(reply, refusal, publicUrl)
    .type(PROBLEM_TYPE)
    .send(problemOf(refusal, publicUrl, where))
}
