import type { Words } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import type { GuestNotice } from '../../bookings/rules/guest-notices.ts'
import type { Booking } from '../../contract/public.ts'
import { mailHtml } from '../../platform/mail/mail-html.ts'
import { guestSummary } from './guest-summary.ts'

/** The kinds of email; a reminder has the same text however early it is sent. */
export type MailKind = Exclude<GuestNotice, `reminder:${number}`> | 'reminder'

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
 * An email to a guest, as text and as HTML. It contains no text from the agent, such as names or
 * notes, because accounts could otherwise write to strangers in its name.
 */
export function mailText(words: Words, kind: MailKind, about: About, at: Date) {
  const { booking, place, isDemo, pageUrl, mailsUrl, publicUrl } = about
  const { say, locale } = words
  const summary = guestSummary(words, about, at)
  const { when, shortWhen, service, price, party, terms, deposit, reason } = summary
  const isByVenue = kind === 'cancelled' && booking.cancelled_by === 'venue'
  const isOn = kind !== 'cancelled' && kind !== 'declined'
  const opening = isByVenue ? say('mail.byVenue') : say(`mail.opening.${kind}`)
  const lines = [service, party, place.lines.join(', ')].flatMap((line) => line || [])
  const [phone, directions] = [say('labels.phone'), say('labels.directions')]
  const paragraphs = [
    isOn && price && `${say('labels.price')}: ${price}`,
    isDemo && say('demo'),
    isOn && terms.ahead,
    isOn && deposit.join('\n'),
  ].flatMap((one) => one || [])
  const text = [
    opening,
    reason,
    [booking.venue.name, when, ...lines].join('\n'),
    [place.phone && `${phone}: ${place.phone}`, isOn && `${directions}: ${place.directionsUrl}`]
      .filter(Boolean)
      .join('\n'),
    ...paragraphs,
    `${say(isOn ? 'mail.page' : 'mail.gone')}\n${pageUrl}`,
    `${say('mail.stop', { network: networkProfile.name })}\n${mailsUrl}`,
    `${networkProfile.name}, ${publicUrl}`,
  ]
  const call = [`${phone}: ${place.phone}`, `tel:${place.phone}`] as const
  const html = mailHtml({
    locale,
    tone: isOn ? 'good' : 'bad',
    opening,
    venue: booking.venue.name,
    when,
    lines,
    links: [
      ...(isOn ? [[directions, place.directionsUrl] as const] : []),
      ...(place.phone === null ? [] : [call]),
    ],
    paragraphs: reason === null ? paragraphs : [reason, ...paragraphs],
    button: [say('mail.button'), pageUrl],
    why: say('mail.stop', { network: networkProfile.name }),
    stop: [say('mail.unsubscribe'), mailsUrl],
  })
  return {
    subject: `${say(`mail.subject.${kind}`)}: ${booking.venue.name}, ${shortWhen}`,
    text: `${text.filter(Boolean).join('\n\n')}\n`,
    html,
  }
}
