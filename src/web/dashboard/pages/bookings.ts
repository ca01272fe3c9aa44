import type { z } from 'zod'
import { listRequests } from '../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../accounts/operations/read-keys.ts'
import type { LoggedCall } from '../../../accounts/schema/usage.ts'
import { bookingStatuses } from '../../../base/booking-status.ts'
import { type ErrorCode, errorCatalogue } from '../../../base/error-catalogue.ts'
import { refusalData } from '../../../base/errors.ts'
import { money } from '../../../base/money.ts'
import { bookingEvents } from '../../../bookings/operations/booking-events.ts'
import { bookingTimeline } from '../../../bookings/operations/booking-timeline.ts'
import { cancelBooking } from '../../../bookings/operations/cancel-booking.ts'
import { getBooking } from '../../../bookings/operations/get-booking.ts'
import { serviceWords } from '../../../bookings/rules/service-words.ts'
import type { timeline } from '../../../bookings/schema/timeline.ts'
import { selectOptionalBooker } from '../../../bookings/store/requests.ts'
import { acceptOffer, refuseOffer } from '../../../confirmation/operations/answer-offer.ts'
import type { Booking, cancellation, OwnBooking } from '../../../contract/public.ts'
import { setRefusal } from '../../../doors/calls/refusals.ts'
import type { Event } from '../../../webhooks/schema/events.ts'
import * as ui from '../../page/components.ts'
import { listFilters } from '../../page/filters.ts'
import { doneNotice, paramsOf, textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { localText } from '../../page/times.ts'
import { callRows, type KeyNames } from '../call-rows.ts'
import { askFirst, type Page, redirectDone, showPage } from '../page.ts'
import { slotCell, slotText } from '../slot-time.ts'
import { statusBadge } from '../status-badges.ts'
import { linksFor, temporalLinks } from '../temporal-links.ts'
import { bookingFacts, feeWords } from './booking-facts.ts'
import { listByVenue } from './booking-venue-filter.ts'
import { exportLink } from './exports.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/bookings'
const MAX_REQUESTS = 5

/** `/dashboard/bookings`: the account's bookings, newest first. */
export const bookings: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const names = ['status', 'venue', 'booked_by', 'from', 'to', 'cursor'] as const
    const { cursor, ...filter } = textFields(request.query, names)
    const input = { ...filter, cursor }
    const { bookings, next_cursor, venueError } = await listByVenue(request, call, input)
    if (venueError) setRefusal(reply, refusalData('venue_not_found'))
    const none = noneOf('booking', filter, NONE, startLink)
    const body = html`
${listFilters(PATH, filter, [
  { label: 'Status', name: 'status', options: ui.anyOf(bookingStatuses) },
  { label: 'Venue', name: 'venue', placeholder: 'Name, slug or id', error: venueError },
  { label: 'Booked by', name: 'booked_by', placeholder: 'Name of an assistant' },
  { label: 'Slot from, at the venue', name: 'from', type: 'date' },
  { label: 'Slot until', name: 'to', type: 'date', min: filter.from },
])}
${ui.listTable('Bookings', bookings, columns, none)}
${bookings.length > 0 && exportLink('bookings', filter)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}`
    return showPage(reply, 'Bookings', body)
  })
}

const NONE = 'Bookings that your agents make appear here.'

/** Shown instead of an empty list; says whether the filters are the reason. */
export const noneOf = (noun: string, filter: object, text: string, action?: Html) =>
  Object.keys(filter).length > 0
    ? ui.empty(`No ${noun}s match`, 'Try other filters.')
    : ui.empty(`No ${noun}s yet`, text, action)

/** The invitation to start, shown in the empty lists of a new account. */
export const startLink = html`
<p>${ui.linkButton('/dashboard/quickstart', 'Send your first request', true)}</p>`

const columns: ui.Columns<Booking> = {
  Venue: ({ id, venue, service }) =>
    html`${ui.rowLink(`${PATH}/${id}`, venue.name)} ${service && ui.quiet(service.name)}`,
  'Local time': (slot) => slotCell(slot),
  Guests: ({ party_size }) => party_size,
  Status: ({ status, reason_code }) =>
    html`${statusBadge(status)} ${reason_code && ui.quiet(reason_code)}`,
  Fee: ({ fee }) => ui.figure(fee.status === 'none' ? ui.quiet('–') : feeWords(fee)),
  Booked: ({ created_at }) => ui.when(created_at),
}

/** One booking: its facts, timeline and events, with forms to cancel it or to answer an offer. */
export const booking: Page = async (scope, { call, config, services }) => {
  const links = temporalLinks(config)

  scope.get(`${PATH}/:id`, async (request, reply) => {
    const { id } = paramsOf(request)
    const accountId = request.keyHolder?.id ?? ''
    const [details, timeline, { events }, { requests }, { keys }, booker] = await Promise.all([
      call(request, getBooking, { id }),
      call(request, bookingTimeline, { id }),
      call(request, bookingEvents, { id }),
      call(request, listRequests, { booking: id, limit: MAX_REQUESTS }),
      call(request, listKeys, { limit: 100 }),
      selectOptionalBooker(services.db, accountId, id ?? ''),
    ])
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
    const isPro = request.keyHolder?.tier === 'pro'
    const workflow = linksFor(links, request)?.booking(id)
    const body = bookingView({
      ...details,
      timeline,
      events,
      requests,
      keyNames,
      workflow,
      isPro,
      booker,
    })
    const { status } = details.booking
    const isAnswered = status !== 'offered'
    const holds = { cancelled: status === 'cancelled', accepted: isAnswered, refused: isAnswered }
    const notice = doneNotice(request, notices.bookings, holds)
    const crumbs = [['Bookings', PATH]] as const
    const styles = ['requests.css']
    return showPage(reply, titleOf(details.booking), body, { notice, crumbs, styles })
  })

  scope.get(`${PATH}/:id/cancel`, async (request, reply) => {
    const details = await call(request, getBooking, paramsOf(request))
    return showPage(reply, `Cancel ${titleOf(details.booking)}?`, cancelView(details))
  })

  for (const [path, operation, word, fields] of [
    ['cancel', cancelBooking, 'cancelled', ['by']],
    ['offer/accept', acceptOffer, 'accepted', []],
    ['offer/refuse', refuseOffer, 'refused', []],
  ] as const) {
    scope.post(`${PATH}/:id/${path}`, async (request, reply) => {
      const { id } = paramsOf(request)
      const question = refuseQuestion(`${PATH}/${id}`)
      const subject = () => call(request, getBooking, { id })
      if (path === 'offer/refuse' && (await askFirst(reply, question, subject))) return reply
      const input = { id, ...textFields(request.body, fields) }
      const { status } = await call(request, operation, input)
      return redirectDone(reply, `${PATH}/${id}`, status === 'pending' ? 'asked' : word)
    })
  }
}

type Cancellable = { booking: Booking; cancellation?: z.infer<typeof cancellation> | undefined }

/** The confirmation page for a cancellation, with its cost. */
function cancelView({ booking, cancellation: cost }: Cancellable): Html {
  const back = `/dashboard/bookings/${booking.id}`
  if (!cost) {
    return html`
<p>This booking is ${statusBadge(booking.status)}. There is nothing to cancel.</p>
<p>${ui.link(back, 'Back to the booking')}</p>`
  }
  const { free_until } = cost
  const by = ui.choice('Cancelled by', 'by', { guest: 'The guest', agent: 'The agent' }, 'agent')
  return html`
${ui.facts([
  ['Venue', booking.venue.name],
  ['Service', serviceWords(booking)],
  ['Slot', slotText(booking)],
  ['Guests', booking.party_size],
  ['Cancelling costs', money(cost.amount_minor, cost.currency)],
])}
<p>${
    cost.fee === 'none' || free_until === null
      ? 'This booking has no fee.'
      : cost.amount_minor === 0
        ? html`Free to cancel until ${ui.exactly(free_until)}. After that the fee applies.`
        : html`Free cancellation ended ${ui.exactly(free_until)}.`
  }</p>
${ui.confirmForm(`${back}/cancel`, 'Cancel the booking', [back, 'Keep the booking'], { more: by })}`
}

const refuseQuestion = (path: string) =>
  ({
    title: 'Refuse the offer?',
    text: 'The request ends and nothing is booked. The time held by the venue becomes free again.',
    button: 'Refuse offer',
    back: [path, 'Keep the offer'],
  }) as const

/** `2 at Angin Laut Sushi, 24 Nov, 19:00`. */
const titleOf = ({ party_size, venue, slot_time }: Booking): string =>
  `${party_size} at ${venue.name}, ${localText(slot_time)}`

type OwnDetails = { booking: OwnBooking; cancellation?: z.infer<typeof cancellation> | undefined }

export type BookingPage = OwnDetails & {
  timeline: z.infer<typeof timeline>
  events: readonly Event[]
  /** the newest ones */
  requests: readonly LoggedCall[]
  booker?: string | undefined
  keyNames: KeyNames
  /** the workflow's address in the Temporal UI */
  workflow: string | undefined
  /** whether the account is allowed to answer an offer */
  isPro: boolean
}

export function bookingView(page: BookingPage): Html {
  const { booking, timeline, events, requests, keyNames, workflow, cancellation, isPro, booker } =
    page
  const { id, status, reason_code } = booking
  const { amount_minor = 0, currency = '' } = cancellation ?? {}
  const cost = amount_minor === 0 ? 'nothing' : money(amount_minor, currency)
  return html`
<p>${statusBadge(status)} ${slotText(booking)}</p>
${reason_code && reasonView(reason_code)}
${bookingFacts(booking, booker)}
${offerView(booking, isPro)}
${
  cancellation &&
  html`<p>Cancelling now costs ${cost}.
${ui.link(`${PATH}/${id}/cancel`, 'Cancel this booking')}</p>`
}
${workflow && html`<p>${ui.link(workflow, 'Workflow in the Temporal UI')}</p>`}
<h2>Timeline</h2>
${timelineView(timeline)}
<h2>Events</h2>
${ui.listTable('Events of this booking', events, eventColumns, ui.note('No events yet.'))}
<h2>Requests</h2>
${requests.length === 0 ? ui.note('None in the last 7 days.') : callRows(requests, keyNames)}
${
  requests.length === MAX_REQUESTS &&
  html`<p>${ui.link(withQuery('/dashboard/requests', { booking: id }), 'All its requests')}</p>`
}`
}

const reasonView = (code: string): Html =>
  Object.hasOwn(errorCatalogue, code)
    ? html`<p>${errorCatalogue[code as ErrorCode].title}.
${ui.link(`/errors#${code}`, html`More about <code>${code}</code>`)}</p>`
    : html`<p>Reason: <code>${code}</code></p>`

function offerView({ id, status, offer }: Booking, isPro: boolean): Html {
  if (status !== 'offered' || offer === null) return html``
  const path = `${PATH}/${id}/offer`
  return html`
<p>The venue offers ${localText(offer.slot_time)} instead and is holding it for you.</p>
${
  isPro
    ? html`<div class="row">${ui.actionForm(`${path}/accept`, 'Accept offer', { tone: 'main' })}
${ui.actionForm(`${path}/refuse`, 'Refuse offer')}</div>`
    : html`<p>Answering an offer needs the pro tier: <a href="/dashboard/plan">upgrade</a>.
An unanswered offer expires.</p>`
}`
}

function timelineView(timeline: BookingPage['timeline']): Html {
  const { entries, head, complete, signature, signed_at } = timeline
  if (entries.length === 0) return ui.note('Still being decided.')
  return html`
<ol class="list">${entries.map(
    ({ at, by, what, why, status }) => html`
<li>${ui.when(at)} ${ui.badge(by)} <strong>${what}</strong> ${why} ${statusBadge(status)}</li>`,
  )}</ol>
${!complete && html`<p>The beginning is missing: this booking is older than timelines.</p>`}
${
  signature
    ? html`<p>${ui.badge('verified', 'good')} All ${entries.length} entries are hash-chained,
and this copy (${ui.when(signed_at)}) is signed with key
<a href="/.well-known/timeline-keys.json"><code>${signature.kid}</code></a>.</p>
<p class="quiet">Head ${ui.copyable(head)}</p>`
    : html`<p role="alert">${ui.badge('not verified', 'bad')} The stored entries do not match
the booking’s head hash, so the network does not vouch for them.</p>`
}`
}

const eventColumns = {
  Event: ({ number, type }: Event) =>
    html`${ui.rowLink(`/dashboard/events/${number}`, type)} ${ui.quiet(number)}`,
  When: ({ timestamp }: Event) => ui.when(timestamp),
}
