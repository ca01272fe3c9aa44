import type { FastifyInstance } from 'fastify'
import {
  type OperatorsView,
  readOperatorsView,
  STUCK_MINUTES,
} from '../../../../accounts/operations/operators-view.ts'
import { MOST_SHOWN } from '../../../../accounts/store/operator-lists.ts'
import { refuse } from '../../../../contract/rules/errors.ts'
import { badge } from '../../components/badge.ts'
import { type Cell, table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { shortAddress } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { bookingBadge, endpointBadge } from '../status-badges.ts'
import { type TemporalLinks, temporalLinks } from '../temporal-links.ts'

/** `/dashboard/operators`: what is in trouble, over all accounts. To anybody but operators there is no such page. */
export async function operators(scope: FastifyInstance, { services, config }: DashboardDeps) {
  const links = temporalLinks(config)
  scope.get('/dashboard/operators', async (request, reply) => {
    if (!request.developer?.isOperator) throw refuse('page_not_found')
    const body = operatorsView(await readOperatorsView(services, new Date()), links)
    const view = { title: 'Operators', section: 'operators', body } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}

/** What an operator looks at when something is wrong: queues, bookings, endpoints, venues. */
const operatorsView = (view: OperatorsView, links: TemporalLinks | null): Html => html`
${links ? html`<p>In the Temporal UI: <a href="${links.list('WorkflowType="booking" AND ExecutionStatus="Running"')}">open bookings</a> · <a href="${links.list('WorkflowType="webhookDelivery"')}">endpoints</a> · <a href="${links.list('ExecutionStatus="Failed"')}">failed workflows</a></p>` : html`<p class="quiet">Set TEMPORAL_UI_URL to get links into the Temporal UI.</p>`}
<h2>Queues</h2>
${queues(view.queues)}
<h2>Stuck bookings</h2>
${list(
  view.stuck,
  ['Booking', 'Account', 'Venue', 'Status', 'Due since'],
  (one) => [
    workflow(links?.booking(one.id), one.id),
    one.account_name,
    one.venue_slug,
    html`${bookingBadge(one.status)}${one.venue_sync === 'withdraw_due' ? html` <span class="quiet">to be withdrawn</span>` : ''}`,
    when(one.next_action_at),
  ],
  `None overdue by more than ${STUCK_MINUTES} minutes.`,
)}
<h2>Failing endpoints</h2>
${list(
  view.endpoints,
  ['Endpoint', 'Account', 'Status', 'Failing since', 'Waits until'],
  (one) => [
    html`${workflow(links?.endpoint(one.id), shortAddress(one.url))}`,
    one.account_name,
    html`${endpointBadge(one.status, one.failing_since !== null)}${one.status === 'disabled' && one.status_reason ? html` <span class="quiet">${one.status_reason}</span>` : ''}`,
    when(one.failing_since),
    when(one.wait_until),
  ],
  'None.',
)}
<h2>Connected venues</h2>
<p>${count(view, 'ok', 'good')} ${count(view, 'failed', 'bad')} ${count(view, 'late', 'wait')}</p>
${list(
  view.venues,
  ['Venue', 'Last polled', 'Problem'],
  (one) => [one.slug, when(one.read_at), one.failure ?? html`<span class="quiet">late</span>`],
  'None is late or failing.',
)}`

const count = (
  { readings }: OperatorsView,
  state: 'ok' | 'failed' | 'late',
  tone: Parameters<typeof badge>[1],
): Html => {
  const many = readings.get(state) ?? 0
  return badge(`${many} ${state}`, many === 0 ? 'quiet' : tone)
}

function queues(found: OperatorsView['queues']): Html {
  if (found === null)
    return html`<p role="alert">${badge('away', 'bad')} The Temporal server is not responding.</p>`
  return table(
    ['Queue', 'Tasks', 'Waiting', 'Oldest', 'Workers'],
    found.map(({ name, kind, backlog, oldestSeconds, workers }) => [
      name,
      kind,
      backlog,
      backlog === 0 ? '–' : `${oldestSeconds} s`,
      workers === 0 ? badge('none', 'bad') : workers,
    ]),
    'Queues',
  )
}

function list<T>(
  things: readonly T[],
  head: readonly string[],
  row: (one: T) => Cell[],
  none: string,
): Html {
  if (things.length === 0) return html`<p class="quiet">${none}</p>`
  const more =
    things.length === MOST_SHOWN
      ? html`<p class="quiet">The first ${MOST_SHOWN} are shown.</p>`
      : ''
  return html`${table(head, things.map(row), head.join(', '))}${more}`
}

const workflow = (href: string | undefined, text: string): Html =>
  href === undefined ? html`<code>${text}</code>` : html`<a href="${href}"><code>${text}</code></a>`
