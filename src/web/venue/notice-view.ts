import { MINUTE_MS } from '../../base/durations.ts'
import type { Words } from '../../base/languages.ts'
import { toLocal } from '../../base/local-time.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import type { NoticeSubject } from '../../notices/operations/notice-page.ts'
import { facts, formId, hidden, link, type Tone } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'

/** Outcomes of an answer that the state of the booking does not say. */
export const outcomes = ['recorded', 'decided', 'taken'] as const
type Done = (typeof outcomes)[number]
type NoticePage = NoticeSubject & { words: Words }
type BookingPage = Extract<NoticePage, { booking: VenueBooking }>

/** What a message is about; a request that waits can be answered. */
export const noticeView = (path: string, page: NoticePage, done?: Done): Html =>
  page.booking ? bookingView(path, page, done) : listView(page)

/** The title of the page. */
export const noticeTitle = (page: NoticePage): string =>
  page.booking ? headingOf(page) : dayOf(page)

const dayOf = ({ recipient, words }: NoticePage) =>
  words.say('notices.day', { at: new Date(`${recipient.day}T00:00Z`) })

const reasons = ['full', 'party_size', 'short_notice', 'closed'] as const satisfies DeclineReason[]

const tones: { readonly [status in VenueBooking['status']]?: Tone } = {
  pending: 'wait',
  offered: 'wait',
  confirmed: 'good',
  completed: 'quiet',
  no_show: 'quiet',
}

function bookingView(path: string, page: BookingPage, done: Done | undefined): Html {
  const { booking, words, refusal, decidedBy } = page
  const { say } = words
  const { name, phone, notes, status } = booking
  const isStale = refusal === 'changed' || refusal === 'late'
  const message = status === 'pending' && isStale ? refusal : done
  const isOpen = (status === 'pending' || booking.change !== null) && refusal === undefined
  const { slot_time, party_size } = (isOpen && booking.change) || booking
  return html`
${
  message &&
  html`<p class="notice" role="status"><strong>${say(`notices.done.${message}`)}</strong></p>`
}
<h1 class="state ${tones[isOpen ? 'pending' : status] ?? 'bad'}">${headingOf(page)}</h1>
${!isOpen && decidedBy && html`<p>${say('notices.by', { name: decidedBy })}</p>`}
<p class="when">${localTime(page, slot_time)}</p>
<p class="when">${say('party', { guests: party_size })}</p>
${facts([
  [say('labels.name'), name],
  [say('labels.phone'), phone && link(`tel:${phone.replaceAll(/[^\d+]/g, '')}`, phone)],
  [say('labels.notes'), notes && html`<span class="notes">${notes}</span>`],
  [say('labels.service'), serviceWords(booking, words)],
])}
${isOpen && answerForms(path, page)}`
}

const states = ['pending', 'offered', 'confirmed', 'declined', 'cancelled', 'expired'] as const

function headingOf(page: BookingPage): string {
  const { booking, words, recipient, refusal } = page
  const { status, offered_slot_time: offered } = booking
  if (status === 'pending' && !refusal) return words.say(`notices.kind.${kindOf(recipient.kind)}`)
  if (booking.change && !refusal) {
    const time = localTime(page, booking.slot_time)
    const guests = words.say('party', { guests: booking.party_size })
    return words.say('notices.kind.change', { time, guests })
  }
  if (recipient.kind === 'booking.changed' && (status === 'confirmed' || status === 'declined')) {
    return words.say(`notices.kind.${status === 'confirmed' ? 'changed' : 'ended'}`)
  }
  const state = states.find((one) => one === status) ?? 'over'
  return words.say(`notices.state.${state}`, { offered: offered ? localTime(page, offered) : '' })
}

const kindOf = (kind: string) => (kind === 'request.reminder' ? 'reminder' : 'waiting')

const localTime = ({ words }: NoticePage, local: string) =>
  words.say('time', { at: new Date(`${local}Z`) })

/** A longer wait is clear from the time until which it lasts. */
const MINUTES_SHOWN = 120

/** Accept in one tap; another time, or a decline with its reason, in two. */
function answerForms(path: string, page: BookingPage): Html {
  const { booking, times, words, at, recipient } = page
  const { say } = words
  const { answer_by } = booking
  const form = (act: string, buttons: Html) => html`
<form class="stack" method="post" action="${path}"
>${formId()}${hidden('act', act)}${buttons}</form>`
  const time = (value: string) => html`<button name="slot_time" value="${value}"
aria-label="${localTime(page, value)}">${say('clock', { at: new Date(`${value}Z`) })}</button>`
  const day = ([date, some = []]: [string, string[] | undefined]) => html`
<p>${say('notices.day', { at: new Date(`${date}T00:00Z`) })}</p>
<div class="times">${some.map(time)}</div>`
  const days = Object.entries(Object.groupBy(times, (value) => value.slice(0, 10)))
  const reason = (value: (typeof reasons)[number]) => html`
<button class="danger" name="reason" value="${value}">${say(`staff.reasons.${value}`)}</button>`
  const minutes = Math.floor(((answer_by ?? at).getTime() - at.getTime()) / MINUTE_MS)
  const until = answer_by && localTime(page, toLocal(recipient.timezone, answer_by))
  const deadline = html`${
    until &&
    html`<p>${say('notices.answerBy', { time: until })}
<strong>${minutes < MINUTES_SHOWN && say('notices.left', { minutes })}</strong></p>`
  }`
  if (booking.change) {
    return html`${deadline}
${form('accept', html`<button class="main tall">${say('staff.acceptChange')}</button>`)}
${form('decline', html`<button class="danger">${say('staff.keepChange')}</button>`)}`
  }
  return html`${deadline}
${form('accept', html`<button class="main tall">${say('notices.accept')}</button>`)}
<details><summary class="button">${say('notices.other')}</summary><div id="times">${
    times.length === 0
      ? html`<p>${say('notices.noTimes')}</p>`
      : html`<p>${say('notices.offerTitle')}</p>${form('offer', html`${days.map(day)}`)}`
  }</div></details>
<details><summary class="button">${say('notices.decline')}</summary><div id="decline"
><p>${say('notices.reasonTitle')}</p>${form('decline', html`${reasons.map(reason)}`)}</div>
</details>`
}

/** The bookings of a day, in the order in which the guests come. */
function listView(page: Exclude<NoticePage, BookingPage>): Html {
  const { list, words } = page
  const { say } = words
  const entry = (one: VenueBooking) => html`
<li><strong>${one.slot_time.slice(11, 16)}</strong> · ${say('party', { guests: one.party_size })} ·
${one.name}<br>${serviceWords(one, words)}${one.notes && html`<br>${one.notes}`}</li>`
  return html`
<h1 class="state">${dayOf(page)}</h1>
<p class="when">${say('notices.count', { count: list.length })}</p>
<ul class="list">${list.map(entry)}</ul>`
}
