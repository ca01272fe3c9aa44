import type { FastifyInstance } from 'fastify'
import { createEndpoint } from '../../../webhooks/operations/create-endpoint.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { endpointLabels, endpointRefusals } from './endpoint-fields.ts'
import { endpointsView } from './endpoints-view.ts'
import { doneNotice, tryForm } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, ticked } from './query.ts'
import { secretView } from './secret-view.ts'

const PATH = '/dashboard/webhooks'
const section = 'webhooks'
const sentences = { deleted: 'The endpoint is deleted: nothing is sent to it any more.' }

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
    return sendPage(reply, dashboardPage(request, { title: 'Endpoint made', section, body }))
  })
}

/** What a form says of an endpoint, in the words of the operations. */
export const wishOf = (body: unknown) => {
  const {
    url = '',
    description = '',
    rate,
    fifo,
  } = given(body, ['url', 'description', 'rate', 'fifo'])
  return {
    url,
    description,
    event_types: ticked(body, 'event_types'),
    rate_per_second: rate === undefined ? null : Number(rate),
    fifo: fifo === 'on',
  }
}
export type Wish = ReturnType<typeof wishOf>

/** A form that was refused, and why. */
export type TriedEndpoint = { wish: Wish; refused: string }
