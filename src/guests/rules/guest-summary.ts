import type { StatedDeposit } from '../../availability/rules/deposit.ts'
import type { Words } from '../../base/languages.ts'
import { toLocal } from '../../base/local-time.ts'
import { money } from '../../base/money.ts'
import { cancellationOf } from '../../bookings/rules/cancellation.ts'
import { priceWords } from '../../bookings/rules/price-words.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { Booking } from '../../contract/public.ts'

/** Why a request came to nothing; `silent`: no answer, `offer`: an offer was not accepted. */
export const whyNot = ['full', 'closed', 'party_size', 'short_notice', 'silent', 'offer'] as const
export type WhyNot = (typeof whyNot)[number]
type InPlace = { booking: Booking; place: { city: string }; why?: WhyNot | null }

/** A time at the venue as in `Sat 5 December, 19:00`; the year only if it is not that of `now`. */
export function localTime({ say }: Words, timezone: string, instant: string, now: Date): string {
  const local = toLocal(timezone, new Date(instant))
  const isThisYear = local.slice(0, 4) === toLocal(timezone, now).slice(0, 4)
  return say(isThisYear ? 'time' : 'timeOfYear', { at: new Date(`${local}Z`) })
}

/** Summarises a booking in the guest's language; `terms` are those for cancelling at `at`. */
export function guestSummary(words: Words, { booking, place, why }: InPlace, at: Date) {
  const { say } = words
  const { timezone, starts_at, party_size, reason, offer, change, deposit, service } = booking
  const { answer_by } = booking
  const local = (instant: string) => localTime(words, timezone, instant, at)
  const when = (instant: string) => say('when', { time: local(instant), city: place.city })
  return {
    when: when(starts_at),
    /** the time that the venue has offered */
    proposed: offer && when(offer.starts_at),
    /** the change for which the venue is being asked */
    waiting:
      change &&
      say('change.waiting', {
        time: local(change.starts_at),
        guests: say('party', { guests: change.party_size }),
        answerBy: local(change.answer_by),
      }),
    shortWhen: local(starts_at),
    shortProposed: offer && local(offer.starts_at),
    service: serviceWords(booking, words),
    price: service?.price ? priceWords(service.price, party_size, words) : null,
    party: say('party', { guests: party_size }),
    reason: reason === undefined ? whyText(words, why) : say('reason', { reason }),
    status: statusText(words, booking, answer_by && when(answer_by)),
    terms: termsText(words, booking, { at, local }),
    deposit: deposit ? depositLines(words, deposit) : [],
    /** what becomes of the deposit after a cancellation */
    refund: deposit ? say('refund') : null,
  }
}

const whyText = ({ say }: Words, why: InPlace['why']) => (why ? say(`whyNot.${why}`) : null)

const stated = ['pending', 'offered', 'confirmed', 'completed', 'no_show', 'cancelled'] as const

function statusText({ say }: Words, booking: Booking, answerBy: string | null): string {
  const { status, cancelled_by, is_demo } = booking
  const by = answerBy ? say('by', { answerBy }) : ''
  if (status === 'cancelled' && cancelled_by === 'venue') return say('status.cancelled_by_venue')
  if (status === 'confirmed' && is_demo) return say('status.demo')
  return say(`status.${stated.find((one) => one === status) ?? 'other'}`, { by })
}

type Clock = { at: Date; local: (instant: string) => string }

/** What cancelling costs: now, and later. */
function termsText({ say, locale }: Words, booking: Booking, { at, local }: Clock) {
  const { fee: outcome, free_until } = cancellationOf(booking, at, 'guest')
  const amount = money(booking.fee.amount_minor, booking.fee.currency, locale)
  const values = { amount, until: free_until ? local(free_until) : '' }
  const later = outcome === 'none' || !free_until ? say('mail.free') : say('mail.rule', values)
  const isKept = outcome === 'kept'
  return {
    now: isKept ? say('rules.kept', values) : say('rules.free'),
    ahead: isKept ? say('rules.kept', values) : later,
  }
}

function depositLines({ say, locale }: Words, deposit: StatedDeposit): string[] {
  const { kind, amount_minor, currency, how_to_pay: how, kept_when: when } = deposit
  return [
    say(`deposit.${kind}`, { amount: money(amount_minor, currency, locale) }),
    ...(how === undefined ? [] : [say('deposit.how', { how })]),
    ...(when === undefined ? [] : [say('deposit.kept', { when })]),
  ]
}

/** The texts of a booking's calendar entry for its guest. */
export function calendarWords(words: Words, about: InPlace, at: Date) {
  const { booking } = about
  const { service, price, party, status, when, proposed } = guestSummary(words, about, at)
  return {
    summary: [booking.venue.name, service, party].filter(Boolean).join(', '),
    unbooked: words.say(
      `mail.subject.${booking.status === 'cancelled' ? 'cancelled' : 'declined'}`,
    ),
    description: `${status} ${proposed ?? when}.`,
    price: price && `${words.say('labels.price')}: ${price}`,
    directions: words.say('labels.directions'),
  }
}
