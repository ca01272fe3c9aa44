import type { FastifyInstance } from 'fastify'
import { createEndpoint } from '../../../../webhooks/operations/create-endpoint.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { MAX_ENDPOINTS } from '../../../../webhooks/rules/limits.ts'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import { formId } from '../../components/form.ts'
import { empty } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { doneNotice, tryForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { endpointBadge } from '../status-badges.ts'
import {
  endpointFields,
  endpointLabels,
  endpointRefusals,
  type TriedEndpoint,
  type Wish,
  wishOf,
} from './endpoint-fields.ts'
import { secretView } from './endpoint-secrets.ts'

const PATH = '/dashboard/webhooks'
const section = 'webhooks'
const sentences = { deleted: 'Endpoint deleted.' }

/** `/dashboard/webhooks`: where the account wants its events, and a form for one more. */
export async function endpoints(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { endpoints } = await call(request, listEndpoints, {})
    const view = { title: 'Endpoints', section, body: endpointsView(endpoints) } as const
    return sendPage(
      reply,
      dashboardPage(request, { ...view, notice: doneNotice(request, sentences) }),
    )
  })

  scope.post(PATH, async (request, reply) => {
    const wish = wishOf(request.body)
    const { form } = given(request.body, ['form'])
    const asked = { ...wish, ...(form && { idempotency_key: form }) }
    const made = call(request, createEndpoint, asked)
    const { done, refused } = await tryForm(made, endpointLabels, endpointRefusals)
    if (refused) {
      const { endpoints } = await call(request, listEndpoints, {})
      const body = endpointsView(endpoints, { wish, refused: refused.words })
      const view = { title: 'Endpoints', section, body } as const
      return sendPage(reply.code(refused.status), dashboardPage(request, view))
    }
    const { endpoint, secret } = done
    const body = secretView(endpoint.id, secret, 'made')
    return sendPage(reply, dashboardPage(request, { title: 'Endpoint created', section, body }))
  })
}

const fresh: Wish = {
  url: '',
  description: '',
  event_types: ['*'],
  rate_per_second: null,
  fifo: false,
}

/** The endpoints with how each does, and the form for one more: open when there is none, or when it was refused. */
function endpointsView(endpoints: readonly Endpoint[], tried?: TriedEndpoint): Html {
  const isOpen = endpoints.length === 0 || tried !== undefined
  return html`
${
  endpoints.length === 0
    ? empty(
        'No endpoints yet',
        'Receive signed events at your own URL. Failed deliveries are retried for three days.',
      )
    : table(
        ['Address', 'Status', 'Events', 'Pending', 'Held', 'Failed', 'Last sequence'],
        endpoints.map(row),
        'Endpoints',
      )
}
${endpoints.length < MAX_ENDPOINTS ? makeForm(isOpen, tried) : html`<p>An account can have ${MAX_ENDPOINTS} endpoints. Delete one to add another.</p>`}`
}

const row = (endpoint: Endpoint) => [
  html`<a href="${PATH}/${endpoint.id}">${endpoint.url}</a>${endpoint.description ? html`<br><span class="quiet">${endpoint.description}</span>` : ''}`,
  endpointBadge(endpoint.status, endpoint.failing_since !== null),
  endpoint.event_types.join(', '),
  endpoint.deliveries.pending,
  endpoint.deliveries.held,
  endpoint.deliveries.failed,
  endpoint.last_sequence,
]

const makeForm = (isOpen: boolean, tried: TriedEndpoint | undefined): Html => html`
<details${isOpen ? html` open` : ''}><summary>New endpoint</summary>
<form class="stack" method="post" action="${PATH}">${formId()}
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
${endpointFields(tried?.wish ?? fresh)}
<button class="main">Create endpoint</button></form></details>`
