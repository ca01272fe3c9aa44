import type { Alternative } from '../answers.ts'
import { printable } from '../screen/printable.ts'

/** A REST refusal: an RFC 9457 problem with a code and its own fields. */
export type Problem = {
  code: string
  title: string
  detail: string
  status: number
  retryable: boolean
  request_id: string
  retry_after?: number
  errors?: { pointer: string; detail: string }[]
  alternatives?: Alternative[]
}

/** The network refused. Exit code 1. The message is safe to print. */
export class Refused extends Error {
  readonly problem: Problem
  /** an extra line for the reader */
  readonly hint: string | undefined
  constructor(problem: Problem, hint?: string) {
    super(printable(problem.detail))
    this.problem = problem
    this.hint = hint
  }
  /** Whether the network itself failed, perhaps after the request took effect. Exit code 3. */
  get isFailure(): boolean {
    return this.problem.status >= 500
  }
}

/** There was no answer, or none from a venue network. The outcome is unknown. Exit code 3. */
export class Unreachable extends Error {
  /** an extra line for the reader */
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
