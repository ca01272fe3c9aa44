import type { FastifyInstance } from 'fastify'
import { getDelivery } from '../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import { retryDelivery } from '../../../webhooks/operations/retry-delivery.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { deliveryView } from './delivery-view.ts'
import { doneNotice } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { idOf } from './query.ts'

const PATH = '/dashboard/deliveries/:id'

const done = {
  succeeded: 'Sent, and it has arrived.',
  failed: 'Sent, and it has failed again: see the newest attempt.',
  unknown: 'Sent; whether it has arrived is not known.',
  pending: 'It is being sent: look again in a moment.',
  written: 'The test event is written and on its way.',
}

/** `/dashboard/deliveries/{id}`: one delivery with each of its attempts. */
export async function delivery(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const [found, { endpoints }] = await Promise.all([
      call(request, getDelivery, { id: idOf(request) }),
      call(request, listEndpoints, {}),
    ])
    const endpoint = endpoints.find(({ id }) => id === found.delivery.endpoint_id)
    const body = deliveryView({ ...found, endpoint })
    const notice = doneNotice(request, done)
    const view = { title: 'Delivery', section: 'deliveries', body, notice } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(`${PATH}/retry`, async (request, reply) => {
    const { status, delivery } = await call(request, retryDelivery, { id: idOf(request) })
    return reply.redirect(`/dashboard/deliveries/${delivery.id}?done=${status}`, 303)
  })
}
