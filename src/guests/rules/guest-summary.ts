import { fillText } from '../../base/fill-text.ts'
import { toLocal } from '../../base/local-time.ts'
import { money } from '../../base/money.ts'
import { cancellationOf } from '../../bookings/rules/cancellation.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { Booking } from '../../contract/public.ts'
import { localWords, slotWords, type TermsText } from './format-guest-mail.ts'
import type { GuestWords } from './languages.ts'

/** Summarises a booking in the guest's language; `terms` are those for cancelling at `at`. */
export function guestSummary(words: GuestWords, booking: Booking, at: Date) {
  const { timezone, starts_at, party_size, fee, status, cancelled_by, reason } = booking
  const { answer_by, offer } = booking
  const { fee: outcome, free_until } = cancellationOf(booking, at, 'guest')
  const local = (instant: string) => slotWords(words, timezone, new Date(instant))
  const terms: TermsText = {
    fee: outcome,
    amount: money(fee.amount_minor, fee.currency, words.locale),
    until: free_until && local(free_until),
  }
  const answerBy = answer_by && local(answer_by)
  const { deposit } = booking
  const amountOf = (part: { amount_minor: number; currency: string }) =>
    money(part.amount_minor, part.currency, words.locale)
  return {
    when: local(starts_at),
    /** the time that the venue has offered */
    proposed: offer && local(offer.starts_at),
    shortWhen: localWords(words, toLocal(timezone, new Date(starts_at))),
    service: serviceWords(booking, words),
    price: booking.service?.price ? words.price(booking.service.price, party_size) : null,
    party: words.party(party_size),
    reason: reason === undefined ? null : fillText(words.reason, { reason }),
    status: words.status({ status, cancelledBy: cancelled_by, answerBy }),
    terms,
    deposit: deposit ? words.deposit({ ...deposit, amount: amountOf(deposit) }) : [],
    /** what becomes of the deposit after a cancellation */
    refund: deposit ? words.refund : null,
  }
}

/** The texts of a booking's calendar entry for its guest. */
export function calendarWords(words: GuestWords, booking: Booking, at: Date) {
  const { service, price, party, status, when, proposed } = guestSummary(words, booking, at)
  const { mail, labels } = words
  const { cancelled, declined } = mail.subject
  return {
    summary: [booking.venue.name, service, party].filter(Boolean).join(', '),
    unbooked: booking.status === 'cancelled' ? cancelled : declined,
    description: `${status} ${proposed ?? when}.`,
    price: price && `${labels.price}: ${price}`,
    directions: labels.directions,
  }
}
