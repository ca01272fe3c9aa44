import type { FastifyInstance } from 'fastify'
import { readOperatorsView } from '../../../accounts/operations/operators-view.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { operatorsView } from './operators-view.ts'
import { temporalLinks } from './temporal-links.ts'

/** `/dashboard/operators`: what is in trouble, over all accounts. To anybody but operators there is no such page. */
export async function operators(scope: FastifyInstance, { services, config }: DashboardDeps) {
  const links = temporalLinks(config)
  scope.get('/dashboard/operators', async (request, reply) => {
    if (!request.developer?.isOperator) throw refuse('page_not_found')
    const body = operatorsView(await readOperatorsView(services, new Date()), links)
    const view = { title: 'Operators', section: 'operators', body } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}
