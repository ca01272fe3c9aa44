import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { bookingEvents } from '../../../../bookings/operations/booking-events.ts'
import { bookingTimeline } from '../../../../bookings/operations/booking-timeline.ts'
import { getBooking } from '../../../../bookings/operations/get-booking.ts'
import type { timeline } from '../../../../bookings/schema/timeline.ts'
import { acceptOffer, refuseOffer } from '../../../../confirmation/operations/answer-offer.ts'
import type { Booking, cancellation } from '../../../../contract/public.ts'
import { money } from '../../../../contract/rules/money.ts'
import type { Event } from '../../../../webhooks/schema/events.ts'
import { badge } from '../../components/badge.ts'
import { copyable } from '../../components/code.ts'
import { actionForm } from '../../components/form.ts'
import { facts, table } from '../../components/table.ts'
import { localMinute, when } from '../../components/time.ts'
import { doneNotice } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { spanWords } from '../../public/venue-text.ts'
import { idOf } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { bookingBadge } from '../status-badges.ts'
import { temporalLinks } from '../temporal-links.ts'
import { feeWords } from './bookings.ts'
import { backToBooking, bookingDone, sentOnce } from './cancel-booking.ts'

const PATH = '/dashboard/bookings/:id'

/** One booking: its facts, what happened to it and why, what endpoints were told, and what can still be done. */
export async function booking(scope: FastifyInstance, { call, config }: DashboardDeps) {
  const links = temporalLinks(config)

  scope.get(PATH, async (request, reply) => {
    const id = idOf(request)
    const [found, timeline, { events }] = await Promise.all([
      call(request, getBooking, { id }),
      call(request, bookingTimeline, { id }),
      call(request, bookingEvents, { id }),
    ])
    const isPro = request.keyHolder?.tier === 'pro'
    const body = bookingView({ ...found, timeline, events, workflow: links?.booking(id), isPro })
    const title = found.booking.venue.name
    const { status } = found.booking
    const answered = status !== 'offered'
    const holds = { cancelled: status === 'cancelled', accepted: answered, refused: answered }
    const notice = doneNotice(request, bookingDone, holds)
    return sendPage(reply, dashboardPage(request, { title, section: 'bookings', body, notice }))
  })

  scope.post(`${PATH}/offer/accept`, async (request, reply) => {
    const { status } = await call(request, acceptOffer, sentOnce(request))
    return backToBooking(request, reply, status === 'pending' ? 'asked' : 'accepted')
  })

  scope.post(`${PATH}/offer/refuse`, async (request, reply) => {
    const { status } = await call(request, refuseOffer, sentOnce(request))
    return backToBooking(request, reply, status === 'pending' ? 'asked' : 'refused')
  })
}

export type BookingPage = {
  booking: Booking
  cancellation?: z.infer<typeof cancellation> | undefined
  timeline: z.infer<typeof timeline>
  events: readonly Event[]
  /** its workflow in the Temporal UI */
  workflow: string | undefined
  /** whether the account may answer an offer */
  isPro: boolean
}

/** Everything that is known of one booking. */
export function bookingView({
  booking,
  timeline,
  events,
  workflow,
  cancellation,
  isPro,
}: BookingPage): Html {
  return html`
<p>${bookingBadge(booking.status)}${booking.reason_code ? html` <code>${booking.reason_code}</code>` : ''} ${localMinute(booking.slot_time)} (${booking.timezone})</p>
${bookingFacts(booking)}
${offered(booking, isPro)}
${cancellation ? html`<p>Cancelling now costs ${cancellation.amount_minor === 0 ? 'nothing' : money(cancellation.amount_minor, cancellation.currency)}. <a href="/dashboard/bookings/${booking.id}/cancel">Cancel this booking</a></p>` : ''}
${workflow ? html`<p><a href="${workflow}">Workflow in the Temporal UI</a></p>` : ''}
<h2>Timeline</h2>
${timelineView(timeline)}
<h2>Events</h2>
${events.length === 0 ? html`<p class="quiet">No events yet.</p>` : table(['Number', 'Type', 'When'], events.map(eventRow), 'Events of this booking')}`
}

const bookingFacts = (booking: Booking): Html => {
  const { fee, offer, change } = booking
  return facts([
    ['Booking', copyable(booking.id)],
    ['Venue', html`<a href="/venues/${booking.venue.slug}">${booking.venue.name}</a>`],
    ['Guests', booking.party_size],
    ['Ends', booking.ends_at === null ? null : when(booking.ends_at)],
    [
      'Confirmed by',
      { auto: 'the network', http: 'the venue’s own system', request: 'a person at the venue' }[
        booking.confirm_mode
      ],
    ],
    ['Fee', fee.status === 'none' ? 'none' : `${feeWords(booking)} (${fee.pct} %)`],
    ['Held until', booking.hold_until === null ? null : when(booking.hold_until)],
    ['Answer due', booking.answer_by === null ? null : when(booking.answer_by)],
    ['Free to cancel until', booking.cancel_until === null ? null : when(booking.cancel_until)],
    ['Cancelled by', booking.cancelled_by],
    ['Venue’s offer', offer && localMinute(offer.slot_time)],
    ['Requested change', change && `${localMinute(change.slot_time)} for ${change.party_size}`],
    [
      'Reminders',
      booking.reminders.map((minutes) => `${spanWords(minutes)} before`).join(', ') || 'none',
    ],
    ['Part of', booking.group_id === null ? null : copyable(booking.group_id)],
    ['Revision', booking.revision],
    ['Booked', when(booking.created_at)],
  ])
}

function offered({ id, status, offer }: Booking, isPro: boolean): Html {
  if (status !== 'offered' || offer === null) return html``
  const proposal = html`<p>The venue offers ${localMinute(offer.slot_time)} instead and is holding it for you.</p>`
  return isPro
    ? html`${proposal}
<div class="row">${actionForm(`/dashboard/bookings/${id}/offer/accept`, 'Accept offer')}${actionForm(`/dashboard/bookings/${id}/offer/refuse`, 'Refuse offer')}</div>`
    : html`${proposal}
<p>Answering an offer needs the pro tier: <a href="/dashboard/plan">upgrade</a>. An unanswered offer expires.</p>`
}

function timelineView({
  entries,
  head,
  complete,
  signature,
  signed_at,
}: BookingPage['timeline']): Html {
  if (entries.length === 0) return html`<p class="quiet">Still being decided.</p>`
  return html`
<ol class="list">${entries.map(
    (entry) => html`
<li>${when(entry.at)} ${badge(entry.by, 'quiet')} <strong>${entry.what}</strong> ${entry.why} ${bookingBadge(entry.status)}</li>`,
  )}</ol>
${complete ? '' : html`<p>The beginning is missing: this booking is older than timelines.</p>`}
${
  signature
    ? html`<p>${badge('verified', 'good')} All ${entries.length} entries are hash-chained, and this copy (${when(signed_at)}) is signed with key <a href="/.well-known/timeline-keys.json"><code>${signature.kid}</code></a>.</p>
<p class="quiet">Head ${copyable(head)}</p>`
    : html`<p role="alert">${badge('not verified', 'bad')} The stored entries do not match the booking’s head hash, so the network does not vouch for them.</p>`
}`
}

const eventRow = ({ number, type, timestamp }: Event) => [
  html`<a href="/dashboard/events/${number}">${number}</a>`,
  html`<code>${type}</code>`,
  when(timestamp),
]
