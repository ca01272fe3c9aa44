import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../model/errors.ts'
import { readOperatorsView } from '../../../operations/operators-view.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { operatorsView } from './operators-view.ts'
import { temporalLinks } from './temporal-links.ts'

/** `/dashboard/operators`: what is in trouble, over all accounts. To anybody but operators there is no such page. */
export async function operators(scope: FastifyInstance, { services, config }: DashboardDeps) {
  const links = temporalLinks(config)
  scope.get('/dashboard/operators', async (request, reply) => {
    if (!request.developer?.isOperator) throw refuse('not_found', 'There is no such page.')
    const body = operatorsView(await readOperatorsView(services, new Date()), links)
    const view = { title: 'Operators', section: 'operators', body } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}
