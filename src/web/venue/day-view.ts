import { randomUUID } from 'node:crypto'
import type { WalkIn } from '../../availability/store/walk-ins.ts'
import { HOUR_MS } from '../../base/durations.ts'
import { clockOn, toInstantPastGap, toLocal } from '../../base/local-time.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import { type closings, EVENING, type VenueDay } from '../../confirmation/operations/venue-day.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { badge, hidden, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { toneOf } from './booking-page.ts'
import { asText, partyText, statusText } from './booking-text.ts'
import { requestCard } from './request-card.ts'
import { type StaffView, to } from './staff-document.ts'

/** What waits, then the day's guests, and how to take a table or stop for today. */
export function boardView(view: StaffView, day: VenueDay): Html {
  const { say } = view.words
  const { waiting } = day
  const { person } = view.venue
  return html`
${
  person &&
  html`<p>${say('people.signedIn', { name: person.name })} ·
<a href="${to(view, '/people')}">${say('people.title')}</a></p>`
}${closedNotice(view, day)}
<h1>${say('staff.waiting', { count: waiting.length })}</h1>
<ul class="requests">${waiting.map((one) => requestCard(view, one))}</ul>
${tableChoice(view, day)}
${dayLinks(view, day)}
${dayList(view, day)}
${closing(view, day)}`
}

/** A form with one button, or several. */
export const staffForm = (view: StaffView, path: string, fields: Html): Html =>
  html`<form class="staff-form" method="post" action="${to(view, path)}">${hidden(
    'form',
    randomUUID(),
  )}${fields}</form>`

const PARTIES = [1, 2, 3, 4, 5, 6, 7, 8]

/** The first of two taps to give a table to guests without a booking. */
const tableChoice = (view: StaffView, { date, largest }: VenueDay): Html => html`
<h2>${view.words.say('staff.table.title')}</h2>
<p class="parties">${PARTIES.filter((party) => party <= largest).map((party) =>
  linkButton(to(view, '/tables', { date, party: String(party) }), party, true),
)}</p>`

const dayLinks = (view: StaffView, { days, date, today }: VenueDay): Html => html`
<h2>${view.words.say('staff.week.title')}</h2>
<nav class="days" aria-label="${view.words.say('staff.week.title')}">${days.map(
  (one) => html`
<a href="${to(view, '', one.date === today ? {} : { date: one.date })}"${
    one.date === date && html` aria-current="date"`
  }><span>${dayName(view, one.date)}</span> <strong>${one.guests}</strong></a>`,
)}</nav>`

const dayName = ({ words: { locale } }: StaffView, date: string) =>
  new Date(date).toLocaleDateString(locale, { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

type Visit = Pick<VenueBooking, 'starts_at' | 'ends_at' | 'party_size'>

const present = ['pending', 'offered', 'confirmed', 'completed']
const isOpen = ({ status }: VenueBooking) => present.slice(0, 3).includes(status)
const isExpected = ({ status }: VenueBooking) => present.includes(status)

/** How many guests are in the house in each hour of a date in which there are any. */
export function guestsByHour(timezone: string, date: string, visits: readonly Visit[]) {
  return Array.from({ length: 30 }, (_, hour) => {
    const clock = `${String(hour).padStart(2, '0')}:00`
    const from = toInstantPastGap(timezone, clockOn(date, clock))
    const until = new Date(from.getTime() + HOUR_MS)
    const guests = visits
      .filter(({ starts_at, ends_at }) => starts_at < until && from < ends_at)
      .reduce((sum, { party_size }) => sum + party_size, 0)
    return { hour: hour % 24, guests }
  }).filter(({ guests }) => guests > 0)
}

function hourBars(view: StaffView, { date, bookings, walkIns }: VenueDay): Html {
  const visits = [...bookings.filter(isExpected), ...walkIns]
  const hours = guestsByHour(view.venue.timezone, date, visits)
  const most = Math.max(...hours.map(({ guests }) => guests), 1)
  const bar = ({ hour, guests }: (typeof hours)[number]) => html`
<li><span>${hour}</span> <meter min="0" max="${most}" value="${guests}"
aria-hidden="true"></meter> <strong>${guests}</strong></li>`
  return html`${
    hours.length > 0 &&
    html`<h3>${view.words.say('staff.week.hours')}</h3><ul class="hours">${hours.map(bar)}</ul>`
  }`
}

function dayList(view: StaffView, day: VenueDay): Html {
  const { say } = view.words
  const { date, today, bookings, walkIns } = day
  const at = asText(`${date}T00:00`)
  const visits = [
    ...bookings.map((one) => ({ one, entry: bookingEntry(view, one) })),
    ...walkIns.map((one) => ({ one, entry: walkInEntry(view, one) })),
  ].sort((a, b) => a.one.starts_at.getTime() - b.one.starts_at.getTime())
  return html`
<h2>${say(date === today ? 'staff.dayToday' : 'staff.day', { at })}</h2>
${hourBars(view, day)}
${
  visits.length > 0
    ? html`<ul class="visits">${visits.map(({ entry }) => entry)}</ul>`
    : html`<p class="quiet">${say('staff.week.none')}</p>`
}`
}

const times = (
  { words: { say }, venue: { timezone } }: StaffView,
  one: Visit & { slot_time: string },
) =>
  `${say('clock', { at: asText(one.slot_time) })}–${say('clock', {
    at: asText(toLocal(timezone, one.ends_at)),
  })}`

const bookingEntry = (view: StaffView, booking: VenueBooking): Html => html`
<li${!isExpected(booking) && html` class="gone"`}><a
href="${to(view, `/bookings/${booking.id}`)}"><strong>${times(view, booking)}</strong> ·
${partyText(view.words, booking)} · ${booking.name ?? view.words.say('staff.noName')}</a>
<span>${serviceWords(booking, view.words)}</span>
<span>${badge(statusText(view, booking), toneOf(booking))}${
  booking.answered_by && html` <span class="quiet">${booking.answered_by}</span>`
}</span></li>`

const walkInEntry = (view: StaffView, walkIn: WalkIn): Html => html`
<li><span><strong>${times(view, walkIn)}</strong> · ${partyText(view.words, walkIn)} ·
${view.words.say('staff.table.entry')}</span>
<span class="quiet">${[walkIn.resources, walkIn.taken_by].filter(Boolean).join(' · ')}</span>
${walkIn.ends_at > view.at && freeForm(view, walkIn)}</li>`

/** One tap takes back what two have taken. */
export const freeForm = (view: StaffView, { id }: WalkIn): Html =>
  staffForm(
    view,
    `/tables/${id}/free`,
    html`<button>${view.words.say('staff.table.free')}</button>`,
  )

const closeForm = (view: StaffView, date: string, buttons: Html) =>
  staffForm(view, '/day', html`${hidden('date', date)}<div class="choices">${buttons}</div>`)
const closeButton = ({ words }: StaffView, name: (typeof closings)[number]) =>
  html`<button name="closing" value="${name}">${words.say(`staff.close.${name}`)}</button>`

/** Since when no bookings are taken, how many stay, and how to take that back. */
function closedNotice(view: StaffView, { date, today, closed, bookings }: VenueDay): Html {
  if (!closed || date < today) return html``
  const { say } = view.words
  const at = asText(clockOn(date, closed.from_clock))
  const count = bookings.filter((one) => isOpen(one) && one.ends_at > view.at).length
  const text = say(count > 0 ? 'staff.close.done' : 'staff.close.doneNone', { at, count })
  return html`
<div class="notice"><p>${date !== today && html`<strong>${say('staff.day', { at })}</strong>: `}${
    text
  }${closed.closed_by && html` (${closed.closed_by})`}</p>${closeForm(
    view,
    date,
    closeButton(view, 'undo'),
  )}</div>`
}

/** How to stop bookings for the day. */
function closing(view: StaffView, { date, today, clock, closed }: VenueDay): Html {
  if (closed || date < today) return html``
  const evening = clock < EVENING && closeButton(view, 'evening')
  const buttons =
    date > today ? closeButton(view, 'day') : html`${closeButton(view, 'rest')}${evening}`
  return html`
<h2>${view.words.say('staff.close.title')}</h2>${closeForm(view, date, buttons)}`
}
