import { MINUTE_MS } from '../../base/durations.ts'

/** A payment provider that has not decided by then is looked at. */
export const STUCK_PAYMENT_MS = 30 * MINUTE_MS

/** Why a booking needs an operator. */
export const stuckReasons = [
  'undecided',
  'action_overdue',
  'answer_overdue',
  'command_waiting',
  'command_failing',
  'command_given_up',
  'venue_not_told',
] as const
export type StuckReason = (typeof stuckReasons)[number]

/** What has been given up stays on the list this long. */
export const GIVEN_UP_DAYS = 7
