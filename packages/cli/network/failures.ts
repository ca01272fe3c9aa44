import { printable } from '../screen/printable.ts'

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

/** The network answered that it does not do it. Exit code 1. The message drives no terminal, whoever sent the refusal. */
export class Refused extends Error {
  readonly problem: Problem
  /** what else to say to whoever reads it */
  readonly hint: string | undefined
  constructor(problem: Problem, hint?: string) {
    super(printable(problem.detail))
    this.problem = problem
    this.hint = hint
  }
  /** It did not judge the request: something of its own went wrong, perhaps after it was carried out. Exit code 3. */
  get isFailure(): boolean {
    return this.problem.status >= 500
  }
}

/** Nobody answered, or not a venue network. Whether the request was carried out is not known. Exit code 3. */
export class Unreachable extends Error {
  /** what else to say to whoever reads it */
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
