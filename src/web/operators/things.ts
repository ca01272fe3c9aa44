import * as read from '../../operators/operations/read-things.ts'
import type { RequestDetail } from '../../operators/store/requests.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import { doorNames } from '../dashboard/call-rows.ts'
import type { Page } from '../dashboard/page.ts'
import { statusBadge } from '../dashboard/status-badges.ts'
import * as ui from '../page/components.ts'
import { paramsOf } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'
import { attemptTable } from './endpoints.ts'
import { accountLink, bookingLink, idOf, OPERATORS, showOperators } from './operators-page.ts'

/** Pages for a request, an event or a delivery of any account, without contents. */
export const things: Page = async (scope, { services }) => {
  scope.get(`${OPERATORS}/requests/:id`, async (request, reply) => {
    const detail = await read.readRequest(services, idOf(paramsOf(request).id))
    return showOperators(reply, [`Request: ${detail.operation}`, 'Accounts'], requestView(detail))
  })
  scope.get(`${OPERATORS}/events/:id`, async (request, reply) => {
    const detail = await read.readEvent(services, idOf(paramsOf(request).id))
    return showOperators(reply, [`Event: ${detail.event.type}`, 'Endpoints'], eventView(detail))
  })
  scope.get(`${OPERATORS}/deliveries/:id`, async (request, reply) => {
    const detail = await read.readDelivery(services, idOf(paramsOf(request).id))
    const title = `Delivery: ${detail.delivery.event_type}`
    return showOperators(reply, [title, 'Endpoints'], deliveryView(detail))
  })
}

const requestView = (request: RequestDetail): Html =>
  ui.facts([
    ['Request', ui.copyable(request.request_id)],
    ['Account', accountLink(request)],
    ['Key', request.key_name],
    ['Agent', request.from_agent],
    ['Interface', doorNames[request.door] ?? request.door],
    ['Operation', request.operation],
    [
      'Result',
      request.code === 'ok'
        ? ui.badge('ok', 'good')
        : ui.link(`/errors#${request.code}`, ui.badge(request.code, 'bad')),
    ],
    ['Duration', durationText(request.ms)],
    ['When', ui.exactly(request.at)],
  ])

const endpointLink = ({ endpoint_id, url }: { endpoint_id: string; url: string }): Html =>
  ui.link(`${OPERATORS}/endpoints/${endpoint_id}`, ui.breakable(shortUrl(url)))

const eventView = ({ event, deliveries }: read.EventPage): Html => html`
${ui.facts([
  ['Event', ui.copyable(event.id)],
  ['Type', html`<code>${event.type}</code>`],
  ['Account', accountLink(event)],
  ['Number', event.number],
  ['Booking', event.booking_id && bookingLink(event.booking_id)],
  ['When', ui.exactly(event.created_at)],
])}
<h2>Deliveries</h2>
${ui.listTable('Deliveries', deliveries, deliveryColumns, ui.note('None.'))}`

const deliveryColumns: ui.Columns<read.EventPage['deliveries'][number]> = {
  Delivery: ({ id }) =>
    ui.rowLink(`${OPERATORS}/deliveries/${id}`, html`<code>${id.slice(0, 13)}…</code>`),
  Endpoint: endpointLink,
  Status: ({ status }) => statusBadge(status),
}

const deliveryView = ({ delivery, attempts }: read.DeliveryPage): Html => html`
${ui.facts([
  ['Delivery', ui.copyable(delivery.id)],
  ['Status', statusBadge(delivery.status)],
  ['Account', accountLink(delivery)],
  ['Endpoint', endpointLink(delivery)],
  ['Event', ui.link(`${OPERATORS}/events/${delivery.event_id}`, delivery.event_type)],
  ['Booking', delivery.booking_id && bookingLink(delivery.booking_id)],
  ['Attempts of the schedule', delivery.tries],
  ['Next attempt', delivery.due_at && ui.when(delivery.due_at)],
  ['Delivered', delivery.delivered_at && ui.when(delivery.delivered_at)],
  ['Given up', delivery.status === 'pending' ? ui.when(delivery.give_up_at) : null],
  ['Created', ui.when(delivery.created_at)],
])}
<h2>Latest attempts</h2>
${attemptTable(attempts)}`
