import {
  type OperatorsView,
  readOperatorsView,
  STUCK_MINUTES,
} from '../../../../accounts/operations/operators-view.ts'
import { MOST_SHOWN } from '../../../../accounts/store/operator-lists.ts'
import { refuse } from '../../../../contract/rules/errors.ts'
import { shortUrl } from '../../../../webhooks/rules/short-url.ts'
import * as ui from '../../components.ts'
import { type Html, html } from '../../html.ts'
import { type Page, showPage } from '../page-kit.ts'
import { endpointBadge, statusBadge } from '../status-badges.ts'
import { type TemporalLinks, temporalLinks } from '../temporal-links.ts'

/** `/dashboard/operators`: problems of all accounts. Only operators find this page. */
export const operators: Page = async (scope, { services, config }) => {
  const links = temporalLinks(config)
  scope.get('/dashboard/operators', async (request, reply) => {
    if (!request.developer?.is_operator) throw refuse('page_not_found')
    const view = await readOperatorsView(services, new Date())
    return showPage(reply, 'Operators', operatorsView(view, links))
  })
}

const operatorsView = (view: OperatorsView, links: TemporalLinks | null): Html => html`
${
  links
    ? html`<p>In the Temporal UI:
${ui.link(links.list('WorkflowType="booking" AND ExecutionStatus="Running"'), 'open bookings')} ·
${ui.link(links.list('WorkflowType="webhookDelivery"'), 'endpoints')} ·
${ui.link(links.list('ExecutionStatus="Failed"'), 'failed workflows')}</p>`
    : ui.note('Set TEMPORAL_UI_URL to get links into the Temporal UI.')
}
<h2>Queues</h2>
${
  view.queues === null
    ? html`<p role="alert">${ui.badge('down', 'bad')} The Temporal server is not responding.</p>`
    : ui.listTable('Queues', view.queues, queueColumns)
}
<h2>Stuck bookings</h2>
${list(`None overdue by more than ${STUCK_MINUTES} minutes.`, view.stuck, {
  Booking: ({ id }) => workflow(links?.booking(id), id),
  Account: ({ account_name }) => account_name,
  Venue: ({ venue_slug }) => venue_slug,
  Status: ({ status, venue_sync }) =>
    html`${statusBadge(status)} ${venue_sync === 'withdraw_due' && ui.quiet('to be withdrawn')}`,
  'Due since': ({ next_action_at }) => ui.when(next_action_at),
})}
<h2>Failing endpoints</h2>
${list('None.', view.endpoints, {
  Endpoint: ({ id, url }) => workflow(links?.endpoint(id), shortUrl(url)),
  Account: ({ account_name }) => account_name,
  Status: (one) =>
    html`${endpointBadge(one)}
${one.status === 'disabled' && one.status_reason && ui.quiet(one.status_reason)}`,
  'Failing since': ({ failing_since }) => ui.when(failing_since),
  'Waits until': ({ wait_until }) => ui.when(wait_until),
})}
<h2>Connected venues</h2>
<p>${count(view, 'ok', 'good')} ${count(view, 'failed', 'bad')} ${count(view, 'late', 'wait')}</p>
${list('None is late or failing.', view.venues, {
  Venue: ({ slug }) => slug,
  'Last polled': ({ read_at }) => ui.when(read_at),
  Problem: ({ failure }) => failure ?? ui.quiet('late'),
})}`

const queueColumns: ui.Columns<NonNullable<OperatorsView['queues']>[number]> = {
  Queue: ({ name }) => name,
  Tasks: ({ kind }) => kind,
  Waiting: ({ backlog }) => backlog,
  Oldest: ({ backlog, oldestSeconds }) => (backlog === 0 ? '–' : `${oldestSeconds} s`),
  Workers: ({ workers }) => (workers === 0 ? ui.badge('none', 'bad') : workers),
}

function count({ readings }: OperatorsView, state: 'ok' | 'failed' | 'late', tone: ui.Tone): Html {
  const venues = readings.get(state) ?? 0
  return ui.badge(`${venues} ${state}`, venues === 0 ? 'quiet' : tone)
}

const list = <T>(none: string, items: readonly T[], columns: ui.Columns<T>): Html => html`
${ui.listTable(Object.keys(columns).join(', '), items, columns, ui.note(none))}
${items.length === MOST_SHOWN && ui.note(`The first ${MOST_SHOWN} are shown.`)}`

const workflow = (href: string | undefined, text: string): Html => {
  const code = html`<code>${text}</code>`
  return href === undefined ? code : ui.link(href, code)
}
