import type { StatedDeposit } from '../../availability/rules/deposit.ts'
import type { BookingStatus, CancelledBy } from '../../base/booking-status.ts'
import { toLocal, utcOffset } from '../../base/local-time.ts'
import type { Cancellation } from '../../contract/public.ts'

/** The kinds of email; a reminder has the same text however early it is sent. */
export type MailKind = 'confirmed' | 'amended' | 'cancelled' | 'declined' | 'reminder'

/** The facts that determine the sentence about a status; `answerBy` is already formatted. */
export type StatusFacts = {
  status: BookingStatus
  cancelledBy: CancelledBy | null
  answerBy: string | null
}

/** The cost of cancelling; amounts and times are already formatted. */
export type TermsText = Pick<Cancellation, 'fee'> & { amount: string; until: string | null }

/** The venue's deposit; the amount is already formatted. */
export type DepositText = Pick<StatedDeposit, 'kind' | 'kept_when' | 'how_to_pay'> & {
  amount: string
}

/** How a language writes times: its BCP 47 locale, and the separator of hours and minutes. */
type TimeStyle = { locale: string; clock: string }

/** Formats a time as in `Tuesday, 24 November 2026, 19:00 (Asia/Makassar, UTC+08:00)`. */
export function slotWords(words: TimeStyle, timezone: string, at: Date): string {
  return `${localWords(words, toLocal(timezone, at))} (${timezone}, UTC${utcOffset(timezone, at)})`
}

/** Formats a local time as in `Tuesday 24 November 2026, 19:00`. */
export function localWords({ locale, clock }: TimeStyle, local: string): string {
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `${date.format(new Date(`${local}Z`))}, ${local.slice(11, 16).replace(':', clock)}`
}
