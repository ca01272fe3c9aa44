import { DAY_MS, SECOND_MS } from '../../base/durations.ts'

/** Limits count the emails sent in the last 24 hours. */
export const MAILS_COUNT_MS = DAY_MS
/** Emails to one address from all accounts: enough for several bookings a day with reminders. */
export const MAX_TO_ADDRESS = 20

/**
 * Whether an account that has emailed an address `own` times may do so again, after `others` emails
 * from other accounts. It gets half of what others leave, so no account uses up the limit.
 */
export const mayMailAddress = (own: number, others: number): boolean =>
  own + others < MAX_TO_ADDRESS && own < (MAX_TO_ADDRESS - others) / 2

/** Emails allowed to an account without completed bookings; each completed booking adds one. */
const MAX_OF_NEWCOMER = 50
/** Completed bookings beyond this number do not count. */
export const MAX_COMPLETED_COUNTED = 1_000

/** How many emails to guests an account can trigger in 24 hours. */
export const mostOfAccount = (completed: number): number => MAX_OF_NEWCOMER + completed

/** After this many permanent refusals of its address, an email is abandoned. */
export const ADDRESS_TRIES = 3

/** No try takes longer than this; a try that lasts longer was killed. */
export const TRY_MS = 60 * SECOND_MS
