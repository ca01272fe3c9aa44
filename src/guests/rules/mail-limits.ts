import { DAY_MS, SECOND_MS } from '../../base/durations.ts'

/** Limits count mails of the last 24 hours. */
export const MAILS_COUNT_MS = DAY_MS
/** Mails to one address from all accounts: enough for several bookings a day with reminders. */
export const MAX_TO_ADDRESS = 20

/**
 * Whether an account that has mailed an address `own` times may do so again, after `others` mails
 * from other accounts. It gets half of what they leave, so that none uses up the address.
 */
export const mayMailAddress = (own: number, others: number): boolean =>
  own + others < MAX_TO_ADDRESS && own < (MAX_TO_ADDRESS - others) / 2

/** Mails of an account without a completed booking; each completed one allows one more. */
const MAX_OF_NEWCOMER = 50
/** Completed bookings that count at most. */
export const MAX_COMPLETED_COUNTED = 1_000

/** The number of guest mails that an account can cause in 24 hours. */
export const mostOfAccount = (completed: number): number => MAX_OF_NEWCOMER + completed

/** Permanent refusals of an address that end its mail. Other failures do not count. */
export const ADDRESS_TRIES = 3

/** A try without an end after this long was killed. Longer than any try. */
export const TRY_MS = 60 * SECOND_MS
