import type { FastifyInstance } from 'fastify'
import { readUsage } from '../../../accounts/operations/read-usage.ts'
import { listFeeEntries } from '../../../bookings/operations/list-fees.ts'
import { deliveryStats } from '../../../webhooks/operations/delivery-stats.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given } from './query.ts'
import { usageView } from './usage-view.ts'

/** `/dashboard/usage`: today’s quota, the requests of a month, and the bookings and fees of one. */
export async function usage(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get('/dashboard/usage', async (request, reply) => {
    const { month, cursor } = given(request.query, ['month', 'cursor'])
    const of = month ?? new Date().toISOString().slice(0, 7)
    const [used, fees, sent] = await Promise.all([
      call(request, readUsage, { month: of }),
      call(request, listFeeEntries, { month: of, ...(cursor && { cursor }) }),
      call(request, deliveryStats, {}),
    ])
    const body = usageView({ ...used, fees, spans: sent.spans })
    const view = {
      title: 'Usage and fees',
      section: 'usage',
      body,
      styles: ['charts.css'],
    } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}
