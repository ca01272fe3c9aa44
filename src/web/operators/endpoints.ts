import { failureText } from '../../base/http-failures.ts'
import { wakeEndpoint } from '../../operators/operations/act-on-work.ts'
import { readTroubledEndpoints } from '../../operators/operations/read-health.ts'
import { type EndpointPage, readEndpoint } from '../../operators/operations/read-things.ts'
import {
  type AttemptDetail,
  MAX_COUNTED,
  type TroubledEndpoint,
} from '../../operators/store/webhooks.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import { type Page, redirectDone } from '../dashboard/page.ts'
import { endpointBadge, statusBadge } from '../dashboard/status-badges.ts'
import { type TemporalLinks, temporalLinks } from '../dashboard/temporal-links.ts'
import * as ui from '../page/components.ts'
import { doneNotice, paramsOf } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'
import { accountLink, actOf, idOf, OPERATORS, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/endpoints`

const notices = { woken: 'Its workflow was woken: what is due is sent now.' }

/** `/dashboard/operators/endpoints`: endpoints in trouble, and a page for any endpoint. */
export const endpoints: Page = async (scope, { services, config }) => {
  const links = temporalLinks(config)

  scope.get(PATH, async (_, reply) => {
    const troubled = await readTroubledEndpoints(services)
    const none = ui.empty('No endpoint is in trouble', 'Every active endpoint accepts its events.')
    const body = html`
<p>Endpoints of all accounts, without those of sandboxes, that are failing or disabled. Their owners
see a notice on every page, and get an email after an hour.</p>
${ui.listTable('Endpoints in trouble', troubled, troubledColumns, none)}`
    return showOperators(reply, ['Endpoints in trouble', 'Endpoints'], body)
  })

  scope.get(`${PATH}/:id`, async (request, reply) => {
    const page = await readEndpoint(services, idOf(paramsOf(request).id))
    const title = shortUrl(page.endpoint.url)
    const notice = doneNotice(request, notices)
    return showOperators(reply, [title, 'Endpoints'], endpointView(page, links), { notice })
  })

  scope.post(`${PATH}/:id/wake`, async (request, reply) => {
    const id = idOf(paramsOf(request).id)
    const { endpoint } = await readEndpoint(services, id)
    await wakeEndpoint(services, actOf(request, endpoint.account_id), id)
    return redirectDone(reply, `${PATH}/${id}`, 'woken')
  })
}

const troubledColumns: ui.Columns<TroubledEndpoint> = {
  Endpoint: ({ id, url }) => ui.rowLink(`${PATH}/${id}`, ui.breakable(shortUrl(url))),
  Account: accountLink,
  Status: (one) => html`${endpointBadge(one)} ${one.status_reason && ui.quiet(one.status_reason)}`,
  'Failing since': ({ failing_since }) => ui.when(failing_since),
  'Waits until': ({ wait_until }) => ui.when(wait_until),
}

function endpointView({ endpoint, attempts }: EndpointPage, links: TemporalLinks | null): Html {
  const { id, deleted_at, status } = endpoint
  const isOpen = !deleted_at && status === 'active'
  return html`
<div class="row">${isOpen && ui.actionForm(`${PATH}/${id}/wake`, 'Wake')}
${links && ui.link(links.endpoint(id), 'Workflow in the Temporal UI')}</div>
${ui.facts([
  ['Endpoint', ui.copyable(id)],
  ['Account', accountLink(endpoint)],
  ['Status', deleted_at ? ui.badge('deleted', 'quiet') : endpointBadge(endpoint)],
  ['Reason', endpoint.status_reason],
  ['Failing since', endpoint.failing_since && ui.when(endpoint.failing_since)],
  [
    'Waits until',
    endpoint.wait_until &&
      html`${ui.when(endpoint.wait_until)}
${endpoint.wait_reason}`,
  ],
  ['Deliveries waiting', counted(endpoint.waiting)],
  ['Of these failed before', counted(endpoint.retried)],
  ['Failed for good', counted(endpoint.failed)],
  ['Created', ui.when(endpoint.created_at)],
])}
<p class="quiet">To replay, rotate, pause or resume for the owner, send its workflow a signal: see
the runbook, <em>Do something to an endpoint for its owner</em>.</p>
<h2>Latest attempts</h2>
${attemptTable(attempts)}`
}

const counted = (count: number): string =>
  count === MAX_COUNTED ? `${ui.grouped(count)} or more` : ui.grouped(count)

/** Attempts without their requests and responses, which belong to the account. */
export const attemptTable = (attempts: readonly AttemptDetail[]): Html =>
  ui.listTable('Latest attempts', attempts, attemptColumns, ui.note('None.'))

const attemptColumns: ui.Columns<AttemptDetail> = {
  When: ({ started_at }) => ui.when(started_at),
  Result: ({ status }) => statusBadge(status),
  HTTP: ({ http_status }) => http_status ?? '–',
  Failure: ({ failure }) => (failure === null ? '–' : failureText(failure)),
  Duration: ({ ms }) => ui.figure(ms === null ? '–' : durationText(ms)),
  Cause: ({ cause }) => cause,
  Delivery: ({ delivery_id: id }) =>
    id === null
      ? '–'
      : ui.link(`${OPERATORS}/deliveries/${id}`, html`<code>${id.slice(0, 13)}…</code>`),
}
