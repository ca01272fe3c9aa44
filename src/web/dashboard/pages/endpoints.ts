import { createEndpoint } from '../../../webhooks/operations/create-endpoint.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import type { Endpoint } from '../../../webhooks/schema/endpoints.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, tryForm } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { type Page, showPage } from '../page.ts'
import { endpointBadge } from '../status-badges.ts'
import {
  endpointFields,
  endpointForm,
  endpointInput,
  type RefusedEndpoint,
} from './endpoint-fields.ts'
import { secretView } from './endpoint-secrets.ts'
import { eventsText } from './endpoint-view.ts'

const PATH = '/dashboard/webhooks'

/** `/dashboard/webhooks`: the account's endpoints, and a form that creates one. */
export const endpoints: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { endpoints } = await call(request, listEndpoints, {})
    const notice = doneNotice(request, { deleted: 'Endpoint deleted.' })
    return showPage(reply, 'Endpoints', endpointsView(endpoints), { notice })
  })

  scope.post(PATH, async (request, reply) => {
    const input = endpointInput(request.body)
    const work = call(request, createEndpoint, input)
    const { output, refused, errors } = await tryForm(reply, work, endpointForm)
    if (output) {
      const body = secretView(output.endpoint.id, output.secret, 'created')
      return showPage(reply, 'Endpoint created', body)
    }
    const { endpoints } = await call(request, listEndpoints, {})
    return showPage(reply, 'Endpoints', endpointsView(endpoints, { input, refused, errors }))
  })
}

/** Shows zero as a dash. */
const some = (count: number): ui.Cell => (count === 0 ? ui.figure(ui.quiet('–')) : count)

const columns: ui.Columns<Endpoint> = {
  URL: ({ id, url, description }) =>
    html`${ui.rowLink(`${PATH}/${id}`, ui.breakable(url))}${
      description && html`<br>${ui.quiet(description)}`
    }`,
  Status: (one) =>
    html`${endpointBadge(one)}${
      one.failing_since && html`<br>${ui.quiet('since')} ${ui.when(one.failing_since)}`
    }`,
  Events: eventsText,
  Pending: ({ deliveries }) => some(deliveries.pending),
  Failing: ({ id, deliveries }) =>
    deliveries.failing > 0
      ? ui.figure(
          ui.link(`/dashboard/deliveries?endpoint=${id}&status=failing`, deliveries.failing),
        )
      : some(0),
  Held: ({ deliveries }) => some(deliveries.held),
  Failed: ({ deliveries }) => some(deliveries.failed),
}

const none = ui.empty(
  'No endpoints yet',
  'Receive signed events at your own URL. Failed deliveries are retried for three days.',
)

/** The form is expanded after a refusal, and while the account has no endpoints. */
function endpointsView(endpoints: readonly Endpoint[], draft?: RefusedEndpoint): Html {
  const input = draft?.input ?? { ...endpointInput({}), event_types: ['*'] }
  const fields = [ui.formId(), ui.alert(draft?.refused), ...endpointFields(input, draft?.errors)]
  return html`
${ui.listTable('Endpoints', endpoints, columns, none)}
<details class="create"${(endpoints.length === 0 || draft !== undefined) && html` open`}>
<summary>New endpoint</summary>${ui.stackForm(PATH, 'Create endpoint', fields, 'main')}</details>`
}
