import { refuse } from '../../../base/errors.ts'
import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import { listEvents } from '../../../webhooks/operations/read-events.ts'
import { recentEvents } from '../../../webhooks/operations/recent-events.ts'
import type { Event } from '../../../webhooks/schema/events.ts'
import * as ui from '../../page/components.ts'
import { listFilters } from '../../page/filters.ts'
import { paramsOf, textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { deliveryTable } from '../delivery-table.ts'
import { type Page, showPage } from '../page.ts'
import { eventOptions } from './deliveries.ts'

const PATH = '/dashboard/events'

/** `/dashboard/events`: the account's events, newest first, and a page for each. */
export const events: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { types, before } = textFields(request.query, ['types', 'before'])
    const input = { types, before: before && Number(before) }
    const { events, next_before } = await call(request, recentEvents, input)
    const cursor = next_before?.toString()
    const body = html`
<p>${ui.link('/docs/webhook-events', 'Event catalogue')}</p>
${listFilters(PATH, { types }, [{ label: 'Type', name: 'types', options: eventOptions }])}
${ui.listTable('Events', events, columns, none(types, cursor))}
${ui.pager(cursor, (next) => withQuery(PATH, { types, before: next }))}`
    return showPage(reply, 'Events', body)
  })

  scope.get(`${PATH}/:number`, async (request, reply) => {
    const number = Number(paramsOf(request).number)
    if (!Number.isSafeInteger(number) || number < 1) throw refuse('event_not_found')
    const { events } = await call(request, listEvents, { after: number - 1, limit: 1 })
    const [event] = events
    if (event?.number !== number) throw refuse('event_not_found')
    const [{ deliveries }, { endpoints }] = await Promise.all([
      call(request, listDeliveries, { event: event.id, limit: 100 }),
      call(request, listEndpoints, {}),
    ])
    const type = html`<code>${event.type}</code>`
    const body = html`
${ui.facts([
  ['Type', ui.link(`/docs/webhook-events#${event.type.replaceAll('.', '')}`, type)],
  ['webhook-id', ui.copyable(event.id)],
  ['When', ui.when(event.timestamp)],
  ['About', subjectLink(event)],
])}
<h2>Data</h2>
${ui.codeBlock(ui.jsonText(event.data), 'Data of the event')}
<h2>Deliveries</h2>
${deliveryTable(deliveries, new Map(endpoints.map(({ id, url }) => [id, url])))}
${number > 1 && html`<p>${ui.link(`${PATH}/${number - 1}`, 'Previous event')}</p>`}`
    return showPage(reply, `${event.type}, event ${number}`, body, { crumbs: [['Events', PATH]] })
  })
}

const columns: ui.Columns<Event> = {
  Event: ({ number, type }) => html`${ui.rowLink(`${PATH}/${number}`, type)} ${ui.quiet(number)}`,
  About: subjectLink,
  When: ({ timestamp }) => ui.when(timestamp),
}

/** With a rare filter, a page can be empty even though older pages are not. */
const none = (types: string | undefined, cursor: string | undefined): Html => {
  if (cursor) return html`<p>No matches on this page. Older events are on the next page.</p>`
  return types === undefined
    ? ui.empty('No events yet', 'Everything that happens to your bookings appears here, in order.')
    : ui.empty('No event of these types', 'Try other types.')
}

/** A link to the booking or endpoint that an event is about. */
function subjectLink({ data }: Event): Html {
  const { booking, booking_id, endpoint_id } = data as Record<string, unknown>
  const id = (booking as { id?: unknown } | undefined)?.id ?? booking_id
  if (typeof id === 'string') {
    return ui.link(`/dashboard/bookings/${encodeURIComponent(id)}`, 'booking')
  }
  return typeof endpoint_id === 'string'
    ? ui.link(`/dashboard/webhooks/${encodeURIComponent(endpoint_id)}`, 'endpoint')
    : ui.quiet('–')
}
