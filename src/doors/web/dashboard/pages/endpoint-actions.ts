import type { FastifyInstance } from 'fastify'
import { deleteEndpoint } from '../../../../webhooks/operations/delete-endpoint.ts'
import { disableEndpoint, pauseEndpoint } from '../../../../webhooks/operations/hold-endpoint.ts'
import { getEndpoint } from '../../../../webhooks/operations/read-endpoints.ts'
import { enableEndpoint, resumeEndpoint } from '../../../../webhooks/operations/reopen-endpoint.ts'
import { testEndpoint } from '../../../../webhooks/operations/test-endpoint.ts'
import { updateEndpoint } from '../../../../webhooks/operations/update-endpoint.ts'
import { verifyEndpoint } from '../../../../webhooks/operations/verify-endpoint.ts'
import { actionForm } from '../../components/form.ts'
import { tryForm } from '../../forms.ts'
import { html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given, idOf } from '../../query.ts'
import { attemptWords } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { backToEndpoint, type ShowEndpoint } from './endpoint-done.ts'
import { endpointLabels, endpointRefusals, wishOf } from './endpoint-fields.ts'

const PATH = '/dashboard/webhooks/:id'

/** What the buttons of an endpoint's page do. */
export async function endpointActions(
  scope: FastifyInstance,
  { call, show }: DashboardDeps & { show: ShowEndpoint },
) {
  scope.post(`${PATH}/verify`, async (request, reply) => {
    const asked = { id: idOf(request), ...given(request.body, ['challenge']) }
    const { status, attempt, next = '' } = await call(request, verifyEndpoint, asked)
    const notice =
      status === 'verified'
        ? html`Address verified. Events are delivered from now on.`
        : html`Not verified yet. ${attempt ? `${attemptWords(attempt)}. ` : ''}${next}`
    return show(request, reply, { notice })
  })

  scope.post(`${PATH}/test`, async (request, reply) => {
    const { form, note } = given(request.body, ['form', 'note'])
    const { delivery_id } = await call(request, testEndpoint, {
      id: idOf(request),
      ...(note && { note }),
      ...(form && { idempotency_key: form }),
    })
    if (delivery_id === null) return backToEndpoint(request, reply, 'tested')
    return reply.redirect(`/dashboard/deliveries/${delivery_id}?done=written`, 303)
  })

  scope.post(`${PATH}/pause`, async (request, reply) => {
    await call(request, pauseEndpoint, { id: idOf(request) })
    return backToEndpoint(request, reply, 'paused')
  })

  scope.post(`${PATH}/disable`, async (request, reply) => {
    await call(request, disableEndpoint, { id: idOf(request) })
    return backToEndpoint(request, reply, 'disabled')
  })

  for (const [word, operation] of [
    ['resume', resumeEndpoint],
    ['enable', enableEndpoint],
  ] as const) {
    scope.post(`${PATH}/${word}`, async (request, reply) => {
      const asked = { id: idOf(request), ...given(request.body, ['held']) }
      const { endpoint } = await call(request, operation, asked)
      return backToEndpoint(
        request,
        reply,
        endpoint.status === 'unverified' ? 'unproved' : 'opened',
      )
    })
  }

  scope.post(`${PATH}/update`, async (request, reply) => {
    const wish = wishOf(request.body)
    const changed = call(request, updateEndpoint, { id: idOf(request), ...wish })
    const { done, refused } = await tryForm(changed, endpointLabels, endpointRefusals)
    if (refused) {
      return show(request, reply.code(refused.status), { tried: { wish, refused: refused.words } })
    }
    return backToEndpoint(request, reply, done.next ? 'moved' : 'updated')
  })

  scope.get(`${PATH}/delete`, async (request, reply) => {
    const { endpoint } = await call(request, getEndpoint, { id: idOf(request) })
    const { pending, held } = endpoint.deliveries
    const body = html`
<p>Nothing is sent to <code>${endpoint.url}</code> from then on. Its secrets and headers are erased, and ${pending + held} deliveries that wait are discarded. What was delivered stays readable.</p>
${actionForm(`/dashboard/webhooks/${endpoint.id}/delete`, 'Delete the endpoint', { tone: 'danger' })}
<p><a href="/dashboard/webhooks/${endpoint.id}">Keep it</a></p>`
    const view = { title: 'Delete this endpoint?', section: 'webhooks', body } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(`${PATH}/delete`, async (request, reply) => {
    await call(request, deleteEndpoint, { id: idOf(request) })
    return reply.redirect('/dashboard/webhooks?done=deleted', 303)
  })
}
