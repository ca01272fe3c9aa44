import { MINUTE_MS } from '../../base/durations.ts'

/** Payments that have been undecided for this long are listed for operators. */
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

/** How many days abandoned work stays on the list. */
export const GIVEN_UP_DAYS = 7
