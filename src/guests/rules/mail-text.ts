import type { Words } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import type { GuestNotice } from '../../bookings/rules/guest-notices.ts'
import type { Booking } from '../../contract/public.ts'
import { mailHtml } from '../../platform/mail/mail-html.ts'
import { guestSummary, type WhyNot } from './guest-summary.ts'

/** The kinds of email; a reminder has the same text however early it is sent. */
export type MailKind = Exclude<GuestNotice, `reminder:${number}`> | 'reminder'

type About = {
  booking: Booking
  /** the venue's address, its telephone number and a map with directions */
  place: { city: string; lines: readonly string[]; phone: string | null; directionsUrl: string }
  isDemo: boolean
  why: WhyNot | null
  /** other local times that are free, if the request was refused */
  others: readonly string[]
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
  const { booking, place, isDemo, others, pageUrl, mailsUrl, publicUrl } = about
  const { say, locale } = words
  const summary = guestSummary(words, about, at)
  const { service, price, party, terms, deposit, reason } = summary
  const when = summary.proposed ?? summary.when
  const shortWhen = summary.shortProposed ?? summary.shortWhen
  const times = others.map((time) => say('time', { at: new Date(`${time}Z`) })).join('; ')
  const isOn = kind !== 'cancelled' && kind !== 'declined'
  const { opening, tone, ask, button } = frameOf(words, kind, booking, summary.status)
  const lines = [service, party, place.lines.join(', ')].flatMap((line) => line || [])
  const [phone, directions] = [say('labels.phone'), say('labels.directions')]
  const paragraphs = [
    isOn && price && `${say('labels.price')}: ${price}`,
    isDemo && say('demo'),
    times && say('mail.others', { times }),
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
    `${ask}\n${pageUrl}`,
    `${say('mail.stop', { network: networkProfile.name })}\n${mailsUrl}`,
    `${networkProfile.name}, ${publicUrl}`,
  ]
  const call = [`${phone}: ${place.phone}`, `tel:${place.phone}`] as const
  const html = mailHtml({
    locale,
    tone,
    opening,
    venue: booking.venue.name,
    when,
    lines,
    links: [
      ...(isOn ? [[directions, place.directionsUrl] as const] : []),
      ...(place.phone === null ? [] : [call]),
    ],
    paragraphs: reason === null ? paragraphs : [reason, ...paragraphs],
    button: [button, pageUrl],
    why: say('mail.stop', { network: networkProfile.name }),
    stop: [say('mail.unsubscribe'), mailsUrl],
  })
  return {
    subject: `${say(`mail.subject.${kind}`)}: ${booking.venue.name}, ${shortWhen}`,
    text: `${text.filter(Boolean).join('\n\n')}\n`,
    html,
  }
}

/** How an email begins, its colour, and what its reader is asked to do. */
function frameOf({ say }: Words, kind: MailKind, booking: Booking, status: string) {
  const button = say('mail.button')
  if (kind === 'offered') {
    const [ask, answer] = [say('mail.answer'), say('mail.answerButton')]
    return { opening: status, tone: 'wait', ask, button: answer } as const
  }
  const opening = say(`mail.opening.${kind}`)
  if (kind !== 'cancelled' && kind !== 'declined') {
    return { opening, tone: 'good', ask: say('mail.page'), button } as const
  }
  const isByVenue = kind === 'cancelled' && booking.cancelled_by === 'venue'
  const gone = isByVenue ? say('mail.byVenue') : opening
  return { opening: gone, tone: 'bad', ask: say('mail.gone'), button } as const
}
