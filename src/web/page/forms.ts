import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import {
  invalidRequest,
  type Problem,
  Refusal,
  type RefusalData,
  refuse,
} from '../../base/errors.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import { detailWords, type Labels, problemWords } from './format-problem.ts'
import { type Html, html } from './html.ts'
import { sendPage } from './page.ts'

// A note of 1,000 Chinese characters alone takes 9,000 bytes.
const BODY_LIMIT_BYTES = 16 * 1024
/** More than any page has; limits the cost of parsing a form. */
const MAX_FIELDS = 100

/** Makes the scope's routes accept only forms. A repeated field keeps all its values. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    async (_: FastifyRequest, body: string) => {
      const fields: Record<string, string | string[]> = Object.create(null)
      const params = new URLSearchParams(body)
      if (params.size > MAX_FIELDS) {
        const detail = `expected at most ${MAX_FIELDS} fields, got ${params.size}`
        throw invalidRequest([{ pointer: '', detail }])
      }
      for (const [name, value] of params) {
        const earlier = fields[name]
        fields[name] = earlier === undefined ? value : [earlier, value].flat()
      }
      return fields
    },
  )
}

/** The values of these form fields or query parameters; empty values are omitted. */
export function textFields<N extends string>(
  source: unknown,
  names: readonly N[],
): { [name in N]?: string } {
  const fields = (source ?? {}) as Record<string, unknown>
  const entries = names.flatMap((name) => {
    const text = [fields[name]].flat().at(-1)
    return typeof text === 'string' && text !== '' ? [[name, text]] : []
  })
  return Object.fromEntries(entries)
}

/** The values of the checked checkboxes with this name. */
export function checkedValues(source: unknown, name: string): string[] {
  const value = (source as Record<string, unknown> | null)?.[name]
  return [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[]
}

/** The path parameters, unvalidated; the operation's schema validates them. */
export const paramsOf = (request: FastifyRequest) =>
  request.params as { id: string; name: string; number: string; type: string }

/** The path with these query parameters; empty values are omitted. */
export function withQuery(path: string, values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1])
  const query = new URLSearchParams(entries).toString()
  return query === '' ? path : `${path}?${query}`
}

/** The instant in a `datetime-local` field labelled UTC. Other text is left to the schema. */
export const utcInstant = (text: string | undefined): string | undefined =>
  text && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
    ? `${text.length === 16 ? `${text}:00` : text}Z`
    : text

/**
 * The notice after a redirect with `?done=`, if the word is known. Anyone can write such an address
 * or reload it later, so a notice is omitted if `holds` says that it is not true.
 */
export function doneNotice<Words extends string>(
  request: FastifyRequest,
  sentences: Readonly<Record<Words, string>>,
  holds: { readonly [word in Words]?: boolean } = {},
): Html | undefined {
  const { done } = textFields(request.query, ['done']) as { done?: Words }
  if (!done || !Object.hasOwn(sentences, done) || holds[done] === false) return undefined
  return html`${sentences[done]}`
}

/** What is wrong with each refused field. */
export type FieldErrors = Readonly<Record<string, string>>

/** The first problem of each field that a refusal names. */
function fieldErrorsOf({ facts, code }: RefusalData, at: FormRules['at'] = {}): FieldErrors {
  const problems = (facts.errors ?? []) as Problem[]
  const entries = problems.map(
    ({ pointer, detail }) => [pointer.split('/')[1] ?? '', detailWords(detail)] as const,
  )
  const field = at[code]
  const title = `${errorCatalogue[code].title}.`
  return Object.fromEntries([...entries, ...(field ? [[field, title] as const] : [])].toReversed())
}

/** The fields of a form, parsed by `schema`. Throws `form_incomplete` with its messages. */
export function parseForm<S extends z.ZodObject>(schema: S, { body }: FastifyRequest): z.output<S> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const sentences = new Set(result.error.issues.map(({ message }) => message))
  const errors = result.error.issues.map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    detail: message,
  }))
  throw refuse('form_incomplete', [...sentences].join(' '), { errors })
}

/** Registers a form. After a refusal, `again` shows it with the reason, overall and per field. */
export const postForm = (
  scope: FastifyInstance,
  path: string,
  again: (request: FastifyRequest, wrong: string, errors: FieldErrors) => string | Promise<string>,
  work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  config: FastifyContextConfig = {},
) =>
  scope.post(path, { config }, async (request, reply) => {
    try {
      return await work(request, reply)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(reply, error.data)
      const errors = fieldErrorsOf(error.data)
      return sendPage(reply, await again(request, error.data.message, errors))
    }
  })

/**
 * The form's field names, the refusals that correcting the form can resolve, and the fields that
 * these refusals concern.
 */
export type FormRules = {
  labels: Labels
  codes?: readonly ErrorCode[]
  at?: { readonly [code in ErrorCode]?: string }
}

type FormResult<T> =
  | { output: T; refused?: undefined; errors?: undefined }
  | { output?: undefined; refused: string; errors: FieldErrors }

/**
 * Returns the output of an operation, or sets the status and returns why the form must be
 * corrected. Rethrows refusals other than `invalid_request` and `codes`.
 */
export async function tryForm<T>(
  reply: FastifyReply,
  work: Promise<T>,
  { labels, codes = [], at }: FormRules,
): Promise<FormResult<T>> {
  try {
    return { output: await work }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code } = error.data
    if (code !== 'invalid_request' && !codes.includes(code)) throw error
    setRefusal(reply, error.data)
    return { refused: problemWords(error.data, labels), errors: fieldErrorsOf(error.data, at) }
  }
}
