import type { FastifyReply } from 'fastify'
import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { setRefusal } from '../refusals.ts'

/** The media type of a problem with its charset. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** RFC 9457: the facts of a refusal are extension members, and `type` leads to its page. */
export function sendProblem(reply: FastifyReply, publicUrl: string, refusal: RefusalData) {
  const { url, id } = reply.request
  const where = { instance: url.split('?', 1)[0], request_id: id }
  return setRefusal(reply, refusal)
    .type(PROBLEM_TYPE)
    .send(problemOf(refusal, publicUrl, where))
}

/** The members of a problem; `where` identifies the request. */
export function problemOf(
  { code, message, facts }: RefusalData,
  publicUrl: string,
  where: { instance?: string | undefined; request_id: string },
) {
  const { status, title, retryable } = errorCatalogue[code]
  const type = `${publicUrl}/errors#${code}`
  return { ...facts, type, title, status, detail: message, code, retryable, ...where }
}
