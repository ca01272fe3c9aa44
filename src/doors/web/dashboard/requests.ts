import type { FastifyInstance } from 'fastify'
import { listRequests } from '../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../accounts/operations/read-keys.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, utcInstant } from './query.ts'
import { requestFilters, requestsView } from './requests-view.ts'

/** `/dashboard/requests`: what the keys of the account asked for in the last days, and what was answered. */
export async function requests(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get('/dashboard/requests', async (request, reply) => {
    const { cursor, ...filter } = given(request.query, [...requestFilters, 'cursor'])
    const from = utcInstant(filter.from)
    const until = utcInstant(filter.until)
    const [page, { keys }] = await Promise.all([
      call(request, listRequests, {
        ...filter,
        ...(from && { from }),
        ...(until && { until }),
        ...(cursor && { cursor }),
        limit: 50,
      }),
      call(request, listKeys, { limit: 100 }),
    ])
    const body = requestsView(page, filter, keys)
    return sendPage(reply, dashboardPage(request, { title: 'Requests', section: 'requests', body }))
  })
}
