import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

/** Facts such as `alternatives` or `retry_after`: extension members of problem+json. */
export type ErrorFacts = Record<string, unknown>

/** A refusal as data: stored as an answer, returned by workflows, thrown as `Refusal`. */
export type RefusalData = { code: ErrorCode; message: string; facts: ErrorFacts }

/** Says what happened and what to do; `what` replaces the catalogue's text on what happened. */
export function refusalData(code: ErrorCode, what?: string, facts: ErrorFacts = {}): RefusalData {
  const { title, advice } = errorCatalogue[code]
  return { code, message: `${what ?? `${title}.`} ${advice}`, facts }
}

/** Thrown by operations and guards; every door builds its answer from the catalogue. */
export class Refusal extends Error {
  readonly data: RefusalData
  constructor(data: RefusalData) {
    super(data.message)
    this.name = 'Refusal'
    this.data = data
  }
}

/** `throw refuse('venue_not_found')`; `what` replaces the catalogue's first sentence. */
export const refuse = (code: ErrorCode, what?: string, facts?: ErrorFacts): Refusal =>
  new Refusal(refusalData(code, what, facts))

/** What is wrong with a field; `pointer` is an RFC 6901 pointer into the request. */
export type Problem = { pointer: string; detail: string }

/** `invalid_request`, with the problems in its message and as `errors`. */
export function invalidRequest(errors: Problem[]): Refusal {
  const [first] = errors
  const what = first && `${first.pointer || 'The request'}: ${first.detail}.`
  return refuse('invalid_request', what, { errors })
}
