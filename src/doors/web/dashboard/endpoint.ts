import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deliveryStats } from '../../../webhooks/operations/delivery-stats.ts'
import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { getEndpoint } from '../../../webhooks/operations/read-endpoints.ts'
import { listReplays } from '../../../webhooks/operations/read-replays.ts'
import type { Html } from '../html.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { endpointActions } from './endpoint-actions.ts'
import { endpointDone, endpointHolds } from './endpoint-done.ts'
import { endpointSecrets } from './endpoint-secrets.ts'
import { endpointView } from './endpoint-view.ts'
import type { TriedEndpoint } from './endpoints.ts'
import { doneNotice } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { idOf } from './query.ts'
import { temporalLinks } from './temporal-links.ts'

const NEWEST = 10

/** Answers with the page of an endpoint, with what has just come of something, or with its settings as they were refused. */
export type ShowEndpoint = (
  request: FastifyRequest,
  reply: FastifyReply,
  said?: { notice?: Html | undefined; tried?: TriedEndpoint },
) => Promise<FastifyReply>

/** `/dashboard/webhooks/{id}`: how one endpoint does, its newest deliveries, and everything that can be done with it. */
export async function endpoint(scope: FastifyInstance, deps: DashboardDeps) {
  const { call, config } = deps
  const links = temporalLinks(config)

  const show: ShowEndpoint = async (request, reply, { notice, tried } = {}) => {
    const id = idOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const [{ deliveries }, { replays }, { spans }] = await Promise.all([
      call(request, listDeliveries, { endpoint: id, limit: NEWEST }),
      call(request, listReplays, { id, limit: NEWEST }),
      call(request, deliveryStats, { endpoint: id }),
    ])
    const body = endpointView({
      endpoint,
      deliveries,
      replays,
      spans,
      workflow: links?.endpoint(id),
      tried,
    })
    const view = {
      title: 'Endpoint',
      section: 'webhooks',
      body,
      notice: notice ?? doneNotice(request, endpointDone, endpointHolds(endpoint)),
      styles: ['charts.css'],
    } as const
    return sendPage(reply, dashboardPage(request, view))
  }

  scope.get('/dashboard/webhooks/:id', (request, reply) => show(request, reply))
  await scope.register(endpointActions, { ...deps, show })
  await scope.register(endpointSecrets, deps)
}
