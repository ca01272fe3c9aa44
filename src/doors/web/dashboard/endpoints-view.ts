import { MOST_ENDPOINTS } from '../../../webhooks/rules/webhooks.ts'
import type { Endpoint } from '../../../webhooks/schema/endpoints.ts'
import { type Html, html } from '../html.ts'
import { empty, table } from '../parts.ts'
import { endpointFields } from './endpoint-fields.ts'
import type { TriedEndpoint, Wish } from './endpoints.ts'
import { formId } from './forms.ts'
import { endpointBadge } from './words.ts'

const PATH = '/dashboard/webhooks'
const fresh: Wish = {
  url: '',
  description: '',
  event_types: ['*'],
  rate_per_second: null,
  fifo: false,
}

/** The endpoints with how each does, and the form for one more: open when there is none, or when it was refused. */
export function endpointsView(endpoints: readonly Endpoint[], tried?: TriedEndpoint): Html {
  const isOpen = endpoints.length === 0 || tried !== undefined
  return html`
${
  endpoints.length === 0
    ? empty(
        'No endpoints yet',
        'Events can be posted to an address of yours, signed, and tried again for three days.',
      )
    : table(
        ['Address', 'Status', 'Events', 'Pending', 'Held', 'Failed', 'Last sequence'],
        endpoints.map(row),
        'Endpoints',
      )
}
${endpoints.length < MOST_ENDPOINTS ? makeForm(isOpen, tried) : html`<p>An account can have ${MOST_ENDPOINTS} endpoints: delete one to make another.</p>`}`
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
<button class="main">Make the endpoint</button></form></details>`
