import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import type { SandboxOutcome } from '../../base/sandbox.ts'
import type { DecidedStatus, DeclineReason } from '../../confirmation/rules/venue-responses.ts'

/** A request to a test venue's built-in system; `calls` counts equal requests, including this. */
export type Question = {
  message: 'booking.confirm' | 'booking.amend' | 'booking.status' | 'booking.cancel'
  outcome: SandboxOutcome
  calls: number
  /** whether it concerns a change to a confirmed booking */
  isChange: boolean
}

/** The status in a `booking.state`, or a failure to answer: docs/protocols/venue-connector.md. */
export type SandboxAnswer =
  | { status: 'confirmed' | 'declined' | 'pending' | 'cancelled' }
  | 'failure'

/** How many calls a system fails before it recovers. */
const DOWN_CALLS = 3

/** How a test venue's system answers. It does nothing that a real venue's system could not do. */
export function answerOf({ message, outcome, calls, isChange }: Question): SandboxAnswer {
  if (message === 'booking.cancel') {
    // The late yes crosses with the first withdrawal.
    return { status: outcome === 'late_yes' && calls === 1 ? 'confirmed' : 'cancelled' }
  }
  if (isChange) return { status: changeAnswers[outcome] ?? 'confirmed' }
  switch (outcome) {
    case 'declined':
      return { status: 'declined' }
    case 'silent':
    case 'late_yes':
      return { status: 'pending' }
    case 'slow':
      return { status: calls === 1 ? 'pending' : 'confirmed' }
    case 'down':
      return calls <= DOWN_CALLS ? 'failure' : { status: 'confirmed' }
    default:
      return { status: 'confirmed' }
  }
}

const changeAnswers: Partial<Record<SandboxOutcome, 'declined' | 'pending'>> = {
  amend_declined: 'declined',
  amend_silent: 'pending',
}

/** How a person at a venue answers a request, and how long it takes. */
export type PeopleAnswer = {
  status: DecidedStatus
  reason?: DeclineReason
  offeredSlotTime?: string
  afterMs: number
}

const SLOW_MS = 15 * SECOND_MS

/** How people at a test venue answer; undefined if they never do. */
export function peopleAnswer(outcome: SandboxOutcome, slotTime: string): PeopleAnswer | undefined {
  if (outcome === 'silent') return undefined
  if (outcome === 'offer') {
    return { status: 'offered', offeredSlotTime: hourLater(slotTime), afterMs: 0 }
  }
  const [, reason] = /^declined_(\w+)$/.exec(outcome) ?? []
  if (reason) return { status: 'declined', reason: reason as DeclineReason, afterMs: 0 }
  return { status: 'confirmed', afterMs: outcome === 'slow' ? SLOW_MS : 0 }
}

const hourLater = (slotTime: string): string =>
  new Date(Date.parse(`${slotTime}Z`) + HOUR_MS).toISOString().slice(0, 19)

/** What a venue says later: `afterMs` after its answer, or after the slot begins. */
export type Later = {
  status: 'cancelled' | 'no_show' | 'attended'
  from: 'answer' | 'slot'
  afterMs: number
}

const noShow = { status: 'no_show', from: 'slot', afterMs: 5 * MINUTE_MS } as const

/** The statements that follow a yes. */
export const laterOf: Partial<Record<SandboxOutcome, readonly Later[]>> = {
  cancelled: [{ status: 'cancelled', from: 'answer', afterMs: 5 * SECOND_MS }],
  no_show: [noShow],
  attended: [noShow, { status: 'attended', from: 'slot', afterMs: 10 * MINUTE_MS }],
}
