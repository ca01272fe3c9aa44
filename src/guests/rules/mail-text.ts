import type { Words } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import type { GuestNotice } from '../../bookings/rules/guest-notices.ts'
import type { Booking } from '../../contract/public.ts'
import { guestSummary } from './guest-summary.ts'

/** The kinds of email; a reminder has the same text however early it is sent. */
export type MailKind = 'confirmed' | 'amended' | 'cancelled' | 'declined' | 'reminder'

type About = {
  booking: Booking
  /** the venue's address, its telephone number and a map with directions */
  place: { city: string; lines: readonly string[]; phone: string | null; directionsUrl: string }
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
export function mailText(words: Words, kind: MailKind, about: About, at: Date) {
  const { booking, place, isDemo, pageUrl, mailsUrl, publicUrl } = about
  const { say } = words
  const summary = guestSummary(words, about, at)
  const { when, shortWhen, service, price, party, terms, deposit, reason } = summary
  const isByVenue = kind === 'cancelled' && booking.cancelled_by === 'venue'
  const isOn = kind !== 'cancelled' && kind !== 'declined'
  const paragraphs = [
    isByVenue ? say('mail.byVenue') : say(`mail.opening.${kind}`),
    reason,
    linesOf(booking.venue.name, when, service, party, place.lines.join(', ')),
    isOn ? placeText(words, place) : place.phone && `${say('labels.phone')}: ${place.phone}`,
    isOn && price && `${say('labels.price')}: ${price}`,
    isDemo && say('demo'),
    isOn && terms.ahead,
    isOn && deposit.join('\n'),
    `${say(isOn ? 'mail.page' : 'mail.gone')}\n${pageUrl}`,
    `${say('mail.stop', { network: networkProfile.name })}\n${mailsUrl}`,
    `${networkProfile.name}, ${publicUrl}`,
  ]
  return {
    subject: `${say(`mail.subject.${kind}`)}: ${booking.venue.name}, ${shortWhen}`,
    text: `${paragraphs.filter(Boolean).join('\n\n')}\n`,
  }
}

const placeText = ({ say }: Words, { phone, directionsUrl }: About['place']): string =>
  linesOf(
    phone && `${say('labels.phone')}: ${phone}`,
    `${say('labels.directions')}: ${directionsUrl}`,
  )

const linesOf = (...lines: (string | null)[]) => lines.filter(Boolean).join('\n')
