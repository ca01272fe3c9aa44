import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import { setRefusal } from '../refusals.ts'
import { type Html, html } from './html.ts'
import { sendPage } from './page.ts'
import { type Labels, problemWords } from './problem-words.ts'

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
  for (const [name, value] of sent) {
    const earlier = fields[name]
    if (earlier === undefined) fields[name] = value
    else if (typeof earlier === 'string') fields[name] = [earlier, value]
    else earlier.push(value)
  }
  return fields
}

/**
 * What a page says after a form has led back to it with `?done=`: one of its own sentences, nothing for any other word. As anybody can write such
 * an address, and load it again much later, a sentence that `holds` says is not so is left out.
 */
export function doneNotice<Words extends string>(
  request: FastifyRequest,
  sentences: Readonly<Record<Words, string>>,
  holds: { readonly [word in Words]?: boolean } = {},
): Html | undefined {
  const { done } = request.query as { done?: unknown }
  if (typeof done !== 'string' || !isWord(sentences, done) || holds[done] === false)
    return undefined
  return html`${sentences[done]}`
}

const isWord = <Words extends string>(
  sentences: Readonly<Record<Words, string>>,
  word: string,
): word is Words => Object.hasOwn(sentences, word)

/** What a form sent, as its schema gives it; throws `form_incomplete` with the sentences of the schema. */
export function parseForm<S extends z.ZodObject>(schema: S, request: FastifyRequest): z.output<S> {
  const result = schema.safeParse(formFields(request))
  if (result.success) return result.data
  const sentences = new Set(result.error.issues.map(({ message }) => message))
  throw refuse('form_incomplete', [...sentences].join(' '))
}

/** Does what a form asks for; a refusal shows the form again, with its status and what is wrong. */
export async function answerForm(
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
  again: (message: string) => string | Promise<string>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { data } = error
    setRefusal(reply, data)
    return sendPage(reply, await again(data.message))
  }
}

/** What was wrong with a form, in its words, and the status of the page that shows it again. */
export type Refused = { words: string; status: number }

/**
 * What an operation answers, or why not where a change of the form can mend it: `codes` beside a field that is not as expected. Any other
 * refusal is thrown on.
 */
export async function tryForm<T>(
  work: Promise<T>,
  labels: Labels = {},
  codes: readonly ErrorCode[] = [],
): Promise<{ done: T; refused?: undefined } | { done?: undefined; refused: Refused }> {
  try {
    return { done: await work }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code } = error.data
    if (code !== 'invalid_request' && !codes.includes(code)) throw error
    const words = problemWords(error.data, labels)
    return { refused: { words, status: errorCatalogue[code].status } }
  }
}
