import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue, type RefusalData } from '../../model/errors.ts'
import { refusalHeaders } from '../refusal-headers.ts'

/** RFC 9457: the facts of a refusal are extension members, and `type` leads to its page. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  refusal: RefusalData,
): FastifyReply {
  const { code, message, facts } = refusal
  const { status, title, retryable } = errorCatalogue[code]
  return reply
    .code(status)
    .headers(refusalHeaders(refusal))
    .type('application/problem+json; charset=utf-8')
    .send({
      ...facts,
      type: `${publicUrl}/errors#${code}`,
      title,
      status,
      detail: message,
      instance: request.url.split('?', 1)[0],
      code,
      retryable,
      request_id: request.id,
    })
}
