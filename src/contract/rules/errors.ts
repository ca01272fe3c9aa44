import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

/** Facts that accompany a refusal (alternatives, retry_after, booking_id, errors …); extension members of problem+json. */
export type ErrorFacts = Record<string, unknown>

/** A refusal as data: stored as an answer, returned by workflows, thrown as `Refusal` inside a process. */
export type RefusalData = { code: ErrorCode; message: string; facts: ErrorFacts }

/** The message is the catalogue's advice, preceded by what exactly is wrong this time, if more can be said. */
export function refusalData(code: ErrorCode, what?: string, facts: ErrorFacts = {}): RefusalData {
  const { title, advice } = errorCatalogue[code]
  return { code, message: `${what ?? `${title}.`} ${advice}`, facts }
}

/** Thrown by operations and guards; every door renders it from the catalogue. */
export class Refusal extends Error {
  readonly data: RefusalData
  constructor(data: RefusalData) {
    super(data.message)
    this.name = 'Refusal'
    this.data = data
  }
}

/** `throw refuse('venue_not_found')`, optionally with a sentence about this case and with facts. */
export function refuse(code: ErrorCode, what?: string, facts?: ErrorFacts): Refusal {
  return new Refusal(refusalData(code, what, facts))
}
