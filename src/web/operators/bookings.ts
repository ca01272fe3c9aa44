import type { OperatorActName } from '../../bookings/rules/booking-messages.ts'
import { STUCK_MINUTES } from '../../bookings/rules/late.ts'
import { actOnBooking } from '../../operators/operations/act-on-work.ts'
import { readStuckBookings } from '../../operators/operations/read-health.ts'
import { type InspectedBooking, readBooking } from '../../operators/operations/read-things.ts'
import type { StuckReason } from '../../operators/rules/stuck.ts'
import type { CommandDetail } from '../../operators/store/bookings.ts'
import type { StuckBooking } from '../../operators/store/stuck.ts'
import { type Page, redirectDone } from '../dashboard/page.ts'
import { confirmers } from '../dashboard/pages/booking-facts.ts'
import { slotText } from '../dashboard/slot-time.ts'
import { statusBadge } from '../dashboard/status-badges.ts'
import { type TemporalLinks, temporalLinks } from '../dashboard/temporal-links.ts'
import * as ui from '../page/components.ts'
import { doneNotice, paramsOf } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import notices from './notices.json' with { type: 'json' }
import {
  accountLink,
  bookingRow,
  idOf,
  OPERATORS,
  reasonedAct,
  reasonField,
  showOperators,
  venueLink,
} from './operators-page.ts'
import texts from './stuck-texts.json' with { type: 'json' }

const PATH = `${OPERATORS}/bookings`

/** `/dashboard/operators/bookings`: stuck bookings of all accounts, and a page for any booking. */
export const bookings: Page = async (scope, { services, config }) => {
  const links = temporalLinks(config)

  scope.get(PATH, async (request, reply) => {
    const stuck = await readStuckBookings(services, new Date())
    const notice = doneNotice(request, notices.bookings)
    return showOperators(reply, ['Stuck bookings', 'Bookings'], listView(stuck), { notice })
  })

  scope.get(`${PATH}/:id`, async (request, reply) => {
    const page = await readBooking(services, idOf(paramsOf(request).id), new Date())
    const title = `Booking at ${page.booking.venue_name}`
    const notice = doneNotice(request, notices.bookings)
    return showOperators(reply, [title, 'Bookings'], bookingView(page, links), { notice })
  })

  scope.get(`${PATH}/:id/cancel`, async (request, reply) => {
    const { booking } = await readBooking(services, idOf(paramsOf(request).id), new Date())
    const title = `Cancel the booking at ${booking.venue_name}?`
    return showOperators(reply, [title, 'Bookings'], cancelView(booking))
  })

  const act = (name: OperatorActName) =>
    scope.post(`${PATH}/:id/${name}`, async (request, reply) => {
      const id = idOf(paramsOf(request).id)
      const { booking } = await readBooking(services, id, new Date())
      const by = reasonedAct(request, booking.account_id)
      const answer = await actOnBooking(services, by, name, id)
      return redirectDone(reply, `${PATH}/${id}`, answer === 'pending' ? 'pending' : name)
    })
  act('cancel')
  act('retry')
  act('wake')
}

const listView = (stuck: readonly StuckBooking[]): Html =>
  ui.listTable(
    'Stuck bookings',
    stuck,
    {
      Booking: ({ id }) => bookingRow(id),
      Problem: (one) =>
        html`${ui.badge(whatOf(one), 'bad')} ${one.status && statusBadge(one.status)}`,
      Since: ({ since }) => whenKnown(since),
      'What to do': (one) => html`<span class="todo">${todoOf(one)}</span>`,
      Account: accountLink,
      Venue: ({ venue_slug }) => venueLink(venue_slug),
    },
    ui.empty('No stuck bookings', `Nothing is overdue by more than ${STUCK_MINUTES} minutes.`),
  )

/** A row whose time is unreadable is still listed. */
const whenKnown = (at: Date): Html =>
  Number.isNaN(at.getTime()) ? ui.quiet('unreadable') : ui.when(at)

/** What an operator can do with a booking, each action with a reason. */
const actsView = (id: string): Html => html`<div class="acts">
${actView(id, 'wake', 'Wake', 'Its workflow does what is due now, without waiting.')}
${actView(
  id,
  'retry',
  'Try again',
  'Repeats the last command that failed ten times, as of when the agent gave it.',
)}
<p><a href="${PATH}/${id}/cancel">Cancel the booking…</a></p></div>`

const actView = (id: string, name: OperatorActName, verb: string, about: string): Html =>
  html`<details class="act"><summary>${verb}</summary>${ui.stackForm(
    `${PATH}/${id}/${name}`,
    verb,
    [html`<p>${about}</p>`, reasonField()],
  )}</details>`

/** What a cancellation does, and the form for it. */
const cancelView = (booking: InspectedBooking['booking']): Html => html`
<p>${slotText(booking)}, party of ${booking.party_size}.</p>
<ul class="plain">
<li>The slot becomes free at once, and cannot be restored to this guest.</li>
<li>Nobody pays: the fee is taken back, however late it is.</li>
<li>The agent gets the event and sees your reason; a venue that knows of it is notified.</li>
</ul>
${ui.stackForm(
  `${PATH}/${booking.id}/cancel`,
  'Cancel the booking',
  [reasonField('The account and anyone who reads the booking’s timeline can see it.')],
  'danger',
)}
<p>${ui.link(`${PATH}/${booking.id}`, 'Keep it')}</p>`

const bookingView = (
  { booking, steps, commands, stuck }: InspectedBooking,
  links: TemporalLinks | null,
) =>
  html`
${stuck.map(
  (one) => html`<section class="notice bad" aria-label="Stuck"><p><strong>${whatOf(one)}</strong>
since ${whenKnown(one.since)}. ${todoOf(one)}</p></section>`,
)}
${links && ui.link(links.booking(booking.id), 'Workflow in the Temporal UI')}
${factsView(booking)}
<h2>Act</h2>
${actsView(booking.id)}
<h2>Commands</h2>
${ui.listTable('Commands', commands, commandColumns, ui.note('None.'))}
<h2>Steps</h2>
${ui.listTable('Steps', steps, stepColumns, ui.note('None yet.'))}`

const ifAny = (at: Date | null) => at && ui.exactly(at)

const factsView = (booking: InspectedBooking['booking']): Html =>
  ui.facts([
    ['Booking', ui.copyable(booking.id)],
    ['Status', booking.status ? statusBadge(booking.status) : answerWord(booking)],
    ['Reason', booking.reason_code],
    ['Account', accountLink(booking)],
    ['Venue', venueLink(booking.venue_slug, booking.venue_name)],
    ['Service', booking.service_name],
    ['Slot', slotText(booking)],
    ['Guests', booking.party_size],
    ['Requested through', `${booking.door} ${booking.from_agent ?? ''}`],
    ['Confirmed by', booking.confirm_mode && confirmers[booking.confirm_mode]],
    ['Venue’s system', booking.venue_sync?.replaceAll('_', ' ') ?? null],
    ['Change', booking.change_phase],
    ['Next action', ifAny(booking.next_action_at)],
    ['Answer due', ifAny(booking.answer_by)],
    ['Held until', ifAny(booking.hold_until)],
    ['Part of', booking.group_id && ui.copyable(booking.group_id)],
    ['Revision', booking.revision],
    ['Requested', ui.when(booking.created_at)],
  ])

const answerWord = ({ refusal, is_answered }: InspectedBooking['booking']): Html =>
  refusal ? ui.badge(refusal, 'quiet') : ui.badge(is_answered ? 'answered' : 'undecided', 'wait')

const commandColumns: ui.Columns<CommandDetail> = {
  Command: ({ kind }) => kind,
  Given: ({ created_at, door }) => html`${ui.when(created_at)} ${ui.quiet(door)}`,
  'With the venue since': ({ begun_at }) => ui.when(begun_at),
  Failures: ({ failures }) => failures,
  Answer: ({ is_answered, refusal }) =>
    refusal
      ? ui.badge(refusal, 'bad')
      : is_answered
        ? ui.badge('done', 'good')
        : ui.badge('open', 'wait'),
}

const stepColumns: ui.Columns<InspectedBooking['steps'][number]> = {
  When: ({ at }) => ui.when(at),
  Step: ({ name }) => html`<code>${name}</code>`,
}

/** What is wrong with a stuck booking, and what to do about it. */
const words: Record<StuckReason, { what: string; todo: string }> = texts

const whatOf = ({ reason }: Pick<StuckBooking, 'reason'>): string => words[reason].what

/** The remedy for a stuck booking; for an overdue withdrawal, it depends on the venue’s system. */
const todoOf = ({ reason, venue_sync }: StuckBooking): string =>
  reason === 'action_overdue' && venue_sync === 'withdraw_due'
    ? 'The venue’s system does not take the cancellation. The network tries again until the ' +
      'slot: see the venue’s connection, and call the venue if the slot is near.'
    : words[reason].todo
