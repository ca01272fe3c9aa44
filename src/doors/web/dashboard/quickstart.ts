import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { dashboardPage, sendPage } from './layout.ts'

/** `/dashboard`: from a key to the first call. */
export async function quickstart(scope: FastifyInstance, _: DashboardDeps) {
  scope.get('/dashboard', async (request, reply) =>
    sendPage(
      reply,
      dashboardPage(request, { title: 'Quickstart', section: 'quickstart', body: html`` }),
    ),
  )
}
