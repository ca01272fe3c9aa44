import { type Words, wordsOf } from '../../base/languages.ts'
import { toLocal } from '../../base/local-time.ts'
import { mailHtml } from '../../platform/mail/mail-html.ts'
import { type BookingInNotice, isRequest, type NoticeMessage, unlinked } from './message.ts'

const names = {
  'request.waiting': 'waiting',
  'request.reminder': 'reminder',
  'booking.changed': 'changed',
  'booking.cancelled': 'cancelled',
  'day.list': 'list',
} as const

const timeOf = ({ say }: Words, local: string) => say('time', { at: new Date(`${local}Z`) })
const partyOf = ({ say }: Words, { partySize }: { partySize: number }) =>
  say('party', { guests: partySize })

/** What a notice is about, when, and how many come, in the person's language. */
export function noticeTitle({ kind, booking, day, language }: NoticeMessage) {
  const words = wordsOf(language)
  const isUnbooked = booking?.status === 'expired' || booking?.status === 'declined'
  const name = isUnbooked && kind === 'booking.cancelled' ? 'ended' : names[kind]
  const title = words.say(`notices.kind.${booking?.before ? 'changing' : name}`)
  if (booking)
    return { title, when: timeOf(words, booking.slotTime), size: partyOf(words, booking) }
  const { date = '', bookings = [] } = day ?? {}
  const when = words.say('notices.day', { at: new Date(`${date}T00:00Z`) })
  return { title, when, size: words.say('notices.count', { count: bookings.length }) }
}

const none = { question: 'notices.see', button: 'notices.open', others: [] } as const

/** The links of an email that asks for an answer, and where on the page they lead. */
const answersTo = ({ before }: BookingInNotice) =>
  before
    ? ({
        question: 'notices.answerChange',
        button: 'staff.acceptChange',
        others: [['staff.keepChange', '']],
      } as const)
    : ({
        question: 'notices.answer',
        button: 'notices.accept',
        others: [
          ['notices.other', '#times'],
          ['notices.decline', '#decline'],
        ],
      } as const)

/** The booking as it stands, if the venue is asked to change it. */
const changeOf = (words: Words, { before }: BookingInNotice) =>
  before &&
  words.say('notices.kind.change', {
    ...{ time: timeOf(words, before.slotTime), guests: partyOf(words, before) },
  })

/** A notice as an email; its buttons lead to the page of the notice, where one press answers. */
export function noticeMail(message: NoticeMessage) {
  const { kind, booking, day, venue, person, url } = message
  const words = wordsOf(message.language)
  const { say, locale } = words
  const { title, when, size } = noticeTitle(message)
  const asks = isRequest(kind) && booking !== null
  const answers = asks ? answersTo(booking) : none
  const lines = booking
    ? [
        ...[size, changeOf(words, booking), booking.service],
        ...[plain(booking.guestName), ...quoted(booking.notes)],
      ]
    : [size, ...(day?.bookings ?? []).map((one) => lineOf(words, one))]
  const by = asks && booking.answerBy && toLocal(venue.timezone, booking.answerBy)
  const about = [...lines, by && say('notices.answerBy', { time: timeOf(words, by) })].flatMap(
    (line) => line || [],
  )
  const why = say('notices.why', { venue: venue.name, name: person.name })
  const stop = [say('mail.unsubscribe'), `${url}/stop`] as const
  const text = [
    title,
    [venue.name, when, ...about].join('\n'),
    `${say(answers.question)}\n${url}`,
    `${why}\n${stop.join(': ')}`,
  ]
  const html = mailHtml({
    ...{ locale, opening: title, venue: venue.name, when, lines: about, why, stop },
    ...{ links: [], paragraphs: [] },
    tone: asks ? 'wait' : kind === 'booking.cancelled' ? 'bad' : 'good',
    button: [say(answers.button), url],
    others: answers.others.map(([label, part]) => [say(label), `${url}${part}`] as const),
  })
  return { subject: `${title}: ${when}, ${size}`, text: `${text.join('\n\n')}\n`, html }
}

const plain = (text: string | null) => unlinked(text ?? '').replace(/\s+/g, ' ')
/** So that no line of a guest's looks like one of ours. */
const quoted = (text: string | null) =>
  (text ?? '').split(/[\r\n\u2028\u2029]+/).flatMap((line) => plain(line) && `> ${plain(line)}`)

/** A booking in the list of a day: `19:00 · 2 guests · Ayu · by the window`. */
const lineOf = (words: Words, one: BookingInNotice): string =>
  [one.slotTime.slice(11, 16), partyOf(words, one), plain(one.guestName), plain(one.notes)]
    .filter(Boolean)
    .join(' · ')
