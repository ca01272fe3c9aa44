import type { StuckReason } from '../../operators/rules/stuck.ts'
import type { StuckBooking } from '../../operators/store/stuck.ts'

type Words = { what: string; todo: string }

/** What is wrong with a stuck booking, and what to do about it. */
const words: Record<StuckReason, Words> = {
  undecided: {
    what: 'Not decided',
    todo: 'The request was stored and has no answer. Wake it. If it stays, see its workflow.',
  },
  action_overdue: {
    what: 'Action overdue',
    todo: 'Wake it. If it stays, its workflow fails: the log has “activity failed” with the error.',
  },
  answer_overdue: {
    what: 'Past its answer-by time',
    todo: 'The venue has not answered in time, so the booking should have ended. Wake it.',
  },
  command_waiting: {
    what: 'Command waiting',
    todo:
      'A command was accepted and nobody has begun it for two minutes. Wake it. If it stays, see ' +
      'its workflow; a booking whose payment is undecided begins it afterwards.',
  },
  command_failing: {
    what: 'Command failing',
    todo:
      'A command fails on our side and is tried ten times. The log has the error. Wake it when ' +
      'the cause is fixed.',
  },
  command_given_up: {
    what: 'Command given up',
    todo:
      'It failed ten times, and its agent was told internal_error. Nothing was changed. Once the ' +
      'cause is fixed, try it again on the page of the booking, or the account can send it again.',
  },
  venue_not_told: {
    what: 'Venue not told',
    todo: 'The venue’s system never took the cancellation. Call the venue: it expects the guests.',
  },
}

export const whatOf = ({ reason }: Pick<StuckBooking, 'reason'>): string => words[reason].what

/** What to do about it; for an overdue withdrawal this depends on the venue’s system. */
export const todoOf = ({ reason, venue_sync }: StuckBooking): string =>
  reason === 'action_overdue' && venue_sync === 'withdraw_due'
    ? 'The venue’s system does not take the cancellation. It is tried until the slot: see the ' +
      'venue’s connection, and call the venue if the slot is near.'
    : words[reason].todo
