import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { refusalHeaders } from '../refusal-headers.ts'

/** The media type of a problem with its charset. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** RFC 9457: the facts of a refusal are extension members, and `type` leads to its page. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  refusal: RefusalData,
): FastifyReply {
  const instance = request.url.split('?', 1)[0]
  return reply
    .code(errorCatalogue[refusal.code].status)
    .headers(refusalHeaders(refusal))
    .type(PROBLEM_TYPE)
    .send(problemOf(refusal, publicUrl, { instance, request_id: request.id }))
}

/** The members of a problem; `where` says which request it was. */
export function problemOf(
  { code, message, facts }: RefusalData,
  publicUrl: string,
  where: { instance?: string | undefined; request_id: string },
) {
  const { status, title, retryable } = errorCatalogue[code]
  const type = `${publicUrl}/errors#${code}`
  return { ...facts, type, title, status, detail: message, code, retryable, ...where }
}
