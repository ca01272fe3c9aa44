/** A refusal as REST writes it: RFC 9457 with the code and the facts of this case. */
export type Problem = {
  code: string
  title: string
  detail: string
  status: number
  retryable: boolean
  request_id: string
  retry_after?: number
  errors?: { pointer: string; detail: string }[]
  alternatives?: { venue: { slug: string }; slot_time: string }[]
}

/** The network answered that it does not do it. Exit code 1. */
export class Refused extends Error {
  readonly problem: Problem
  /** what else to say to whoever reads it */
  readonly hint: string | undefined
  constructor(problem: Problem, hint?: string) {
    super(problem.detail)
    this.problem = problem
    this.hint = hint
  }
}

/** Nobody answered, or not a venue network. Whether the request was carried out is not known. Exit code 3. */
export class Unreachable extends Error {}
