import { refuse } from './errors.ts'

/** What is wrong with one field; `pointer` is an RFC 6901 pointer into what was sent. */
export type Problem = { pointer: string; detail: string }

/** `invalid_request` with its problems in the message and as `errors`. */
export function invalidRequest(errors: Problem[]) {
  const [first] = errors
  const what = first && `${first.pointer || 'The request'}: ${first.detail}.`
  return refuse('invalid_request', what, { errors })
}
