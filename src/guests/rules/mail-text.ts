import { networkProfile } from '../../base/network.ts'
import type { GuestNotice } from '../../bookings/rules/guest-notices.ts'
import type { Booking } from '../../contract/public.ts'
import type { MailKind } from './format-guest-mail.ts'
import { guestSummary } from './guest-summary.ts'
import type { GuestWords } from './languages.ts'

type About = {
  booking: Booking
  /** the venue's address, its telephone number and a map with directions */
  place: { lines: readonly string[]; phone: string | null; directionsUrl: string }
  isDemo: boolean
  pageUrl: string
  mailsUrl: string
  publicUrl: string
}

export const mailKindOf = (notice: GuestNotice): MailKind =>
  notice.startsWith('reminder:') ? 'reminder' : (notice as MailKind)

/**
 * An email to a guest. It contains no text from the agent, such as names or notes, because accounts
 * could otherwise write to strangers in its name.
 */
export function mailText(words: GuestWords, kind: MailKind, about: About, at: Date) {
  const { booking, place, isDemo, pageUrl, mailsUrl, publicUrl } = about
  const { mail } = words
  const summary = guestSummary(words, booking, at)
  const { when, shortWhen, service, price, party, terms, deposit, reason } = summary
  const isByVenue = kind === 'cancelled' && booking.cancelled_by === 'venue'
  const isOn = kind !== 'cancelled' && kind !== 'declined'
  const paragraphs = [
    isByVenue ? mail.byVenue : mail.opening[kind],
    reason,
    linesOf(booking.venue.name, when, service, party, place.lines.join(', ')),
    isOn ? placeText(words, place) : place.phone && `${words.labels.phone}: ${place.phone}`,
    isOn && price && `${words.labels.price}: ${price}`,
    isDemo && words.demo,
    isOn && (terms.fee === 'kept' ? words.rules.now(terms) : mail.rule(terms)),
    isOn && deposit.join('\n'),
    `${isOn ? mail.page : mail.gone}\n${pageUrl}`,
    `${mail.stop(networkProfile.name)}\n${mailsUrl}`,
    `${networkProfile.name}, ${publicUrl}`,
  ]
  return {
    subject: `${mail.subject[kind]}: ${booking.venue.name}, ${shortWhen}`,
    text: `${paragraphs.filter(Boolean).join('\n\n')}\n`,
  }
}

const placeText = ({ labels }: GuestWords, { phone, directionsUrl }: About['place']): string =>
  linesOf(phone && `${labels.phone}: ${phone}`, `${labels.directions}: ${directionsUrl}`)

const linesOf = (...lines: (string | null)[]) => lines.filter(Boolean).join('\n')
