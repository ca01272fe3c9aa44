import { DAY_MS } from '../../base/durations.ts'

/** When an invoice is charged again, in days after the first failure. */
const RETRY_DAYS = [1, 3, 5, 7] as const
/** Days after the last failure until pro ends. */
const GRACE_DAYS = 7
/** Charges per invoice: the first when it is issued, then the retries. */
export const MAX_CHARGES = RETRY_DAYS.length + 1
/** Invoices that are older than this when collection begins are not charged automatically. */
export const MAX_AGE_DAYS = 60

const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** When the account loses pro unless the invoice is paid. */
export const endsAt = (since: Date): Date => daysAfter(since, Math.max(...RETRY_DAYS) + GRACE_DAYS)

/** The time of the next step after `failures` failed charges: another charge, or the end of pro. */
export function nextAt(failures: number, since: Date): Date {
  const days = RETRY_DAYS[failures - 1]
  return days === undefined ? endsAt(since) : daysAfter(since, days)
}
