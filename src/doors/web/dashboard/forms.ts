import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Html, html } from '../html.ts'

const BODY_LIMIT_BYTES = 8 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What a form sent; a name that came more than once has all its values. */
export type Fields = Record<string, string | string[]>

/** The routes of the scope take forms and nothing else, of at most 8 kB. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    async (_: FastifyRequest, body: string) => fieldsOf(new URLSearchParams(body)),
  )
}

/** The fields of a request's form, none when it came without a body. */
export const formFields = (request: FastifyRequest): Fields => (request.body ?? {}) as Fields

function fieldsOf(sent: URLSearchParams): Fields {
  const fields: Fields = Object.create(null)
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name)
    fields[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return fields
}

/** Goes along with a form whose effect must come once: the operation takes its value as idempotency key. */
export const formId = (): Html => html`<input type="hidden" name="form" value="${randomUUID()}">`

/** What a page says after a form has led back to it with `?done=`: one of its own sentences, nothing for any other word. */
export function doneNotice(
  request: FastifyRequest,
  sentences: Readonly<Record<string, string>>,
): Html | undefined {
  const { done } = request.query as { done?: unknown }
  if (typeof done !== 'string' || !Object.hasOwn(sentences, done)) return undefined
  return html`${sentences[done] ?? ''}`
}
