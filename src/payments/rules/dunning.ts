import { DAY_MS } from '../../base/durations.ts'

/** Days after the first failure at which an invoice is charged again. */
const RETRY_DAYS = [1, 3, 5, 7] as const
/** Days after the last failure until pro ends. */
const GRACE_DAYS = 7
/** The charge when the invoice is issued, and those after it. */
export const MAX_CHARGES = RETRY_DAYS.length + 1
/** An invoice that is older when collecting begins is not charged without its customer. */
export const MAX_AGE_DAYS = 60

const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** When the account loses pro, unless the invoice is paid. */
export const endsAt = (since: Date): Date => daysAfter(since, Math.max(...RETRY_DAYS) + GRACE_DAYS)

/** What happens after so many failures, the first one at `since`: a charge, or the end of pro. */
export function nextAt(failures: number, since: Date): Date {
  const days = RETRY_DAYS[failures - 1]
  return days === undefined ? endsAt(since) : daysAfter(since, days)
}
