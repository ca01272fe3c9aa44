import { DAY_MS, SECOND_MS } from '../../base/durations.ts'

/** Limits count mails of the last 24 hours. */
export const MAILS_COUNT_MS = DAY_MS
/** To one address, of all accounts: several bookings of one day with their reminders. */
export const MAX_TO_ADDRESS = 20

/**
 * Whether an account that has mailed an address `own` times may do so again, while others have
 * `others` times: it gets half of what they leave, so that nobody uses up an address for the rest.
 */
export const mayMailAddress = (own: number, others: number): boolean =>
  own + others < MAX_TO_ADDRESS && own < (MAX_TO_ADDRESS - others) / 2

/** Of one account that has completed no booking; each completed one allows one more. */
const MAX_OF_NEWCOMER = 50
/** Completed bookings that count. */
export const MAX_COMPLETED_COUNTED = 1_000

/** How many mails to guests an account can cause in 24 hours. */
export const mostOfAccount = (completed: number): number => MAX_OF_NEWCOMER + completed

/** How often a mail server may refuse an address for good. What fails otherwise does not count. */
export const ADDRESS_TRIES = 3

/** A try that has not ended after so long is over: its process was killed. Longer than any try. */
export const TRY_MS = 60 * SECOND_MS
