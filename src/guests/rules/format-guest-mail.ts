import type { StatedDeposit } from '../../availability/rules/deposit.ts'
import type { BookingStatus, CancelledBy } from '../../base/booking-status.ts'
import { toLocal, utcOffset } from '../../base/local-time.ts'
import type { GuestLanguage } from '../../bookings/rules/guest-notices.ts'
import type { Cancellation } from '../../contract/public.ts'

/** The kinds of email; a reminder has the same text however early it is sent. */
export type MailKind = 'confirmed' | 'amended' | 'cancelled' | 'declined' | 'reminder'

/** The facts that determine the sentence about a status; `answerBy` is already formatted. */
type StatusFacts = {
  status: BookingStatus
  cancelledBy: CancelledBy | null
  answerBy: string | null
}

/** The cost of cancelling; amounts and times are already formatted. */
export type TermsText = Pick<Cancellation, 'fee'> & { amount: string; until: string | null }

/** The venue's deposit; the amount is already formatted. */
type DepositText = Pick<StatedDeposit, 'kind' | 'kept_when' | 'how_to_pay'> & {
  amount: string
}

/** All texts for guests in one language. */
export type GuestWords = {
  /** a BCP 47 tag, for dates */
  locale: string
  /** the separator between hours and minutes */
  clock: string
  party(guests: number): string
  mail: {
    subject: Record<MailKind, string>
    opening: Record<MailKind, string>
    byVenue: string
    rule(terms: TermsText): string
    page: string
    stop(network: string): string
  }
  status(facts: StatusFacts): string
  labels: Record<'when' | 'proposed' | 'requested' | 'party' | 'where' | 'name' | 'number', string>
  demo: string
  calendar: string
  /** the cost of cancelling at this moment, and the heading above it */
  rules: { title: string; now(terms: TermsText): string }
  /** line by line */
  deposit(deposit: DepositText): string[]
  cancel: {
    link: string
    question: string
    yes: string
    no: string
    done: string
    recorded: string
    tooLate: string
    changed: string
  }
  mails: {
    title: string
    about(address: string): string
    stopBooking: string
    stopAddress: string
    bookingStopped: string
    addressStopped: string
    allow: string
    none: string
  }
  /** the link for skipping the header, for keyboard users */
  skip: string
  otherLanguage: { code: GuestLanguage; name: string }
}

/** A time such as `Tuesday, 24 November 2026, 19:00 (Asia/Makassar, UTC+08:00)`. */
export function slotWords(words: GuestWords, timezone: string, at: Date): string {
  return `${localWords(words, toLocal(timezone, at))} (${timezone}, UTC${utcOffset(timezone, at)})`
}

/** A local time such as `Tuesday 24 November 2026, 19:00`. */
export function localWords({ locale, clock }: GuestWords, local: string): string {
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `${date.format(new Date(`${local}Z`))}, ${local.slice(11, 16).replace(':', clock)}`
}
