import type { StatedDeposit } from '../../availability/rules/deposit.ts'
import type { BookingStatus, CancelledBy } from '../../base/booking-status.ts'
import { toLocal, utcOffset } from '../../base/local-time.ts'
import type { GuestLanguage } from '../../bookings/rules/guest-notices.ts'
import type { Cancellation } from '../../contract/public.ts'

/** The kinds of mail; a reminder has its minutes in the notice, not in its words. */
export type MailKind = 'confirmed' | 'amended' | 'cancelled' | 'declined' | 'reminder'

/** What decides how a booking's status is told; `answerBy` is already in words. */
type ToldStatus = {
  status: BookingStatus
  cancelledBy: CancelledBy | null
  answerBy: string | null
}

/** What a cancellation costs; amounts and times are already in words. */
export type ToldTerms = Pick<Cancellation, 'fee'> & { amount: string; until: string | null }

/** What the venue asks its guest for; the amount is already in words. */
type ToldDeposit = Pick<StatedDeposit, 'kind' | 'kept_when' | 'how_to_pay'> & {
  amount: string
}

/** Everything that guests read, in one language. */
export type GuestWords = {
  /** BCP 47, for dates */
  locale: string
  /** between hours and minutes */
  clock: string
  party(guests: number): string
  mail: {
    subject: Record<MailKind, string>
    opening: Record<MailKind, string>
    byVenue: string
    rule(terms: ToldTerms): string
    page: string
    stop(network: string): string
  }
  status(told: ToldStatus): string
  labels: Record<'when' | 'proposed' | 'requested' | 'party' | 'where' | 'name' | 'number', string>
  demo: string
  calendar: string
  /** how the cost of cancelling is told: before it, and at the moment of asking */
  rules: { title: string; now(terms: ToldTerms): string }
  /** line by line */
  deposit(deposit: ToldDeposit): string[]
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
  /** the link that jumps over the header, for keyboards */
  skip: string
  otherLanguage: { code: GuestLanguage; name: string }
}

/** As in `Tuesday, 24 November 2026, 19:00 (Asia/Makassar, UTC+08:00)`. */
export function slotWords(words: GuestWords, timezone: string, at: Date): string {
  return `${localWords(words, toLocal(timezone, at))} (${timezone}, UTC${utcOffset(timezone, at)})`
}

/** A local time as in `Tuesday 24 November 2026, 19:00`. */
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
