import type { FastifyInstance } from 'fastify'
import { changePlan, getPlan } from '../../../accounts/operations/change-plan.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { changeView, planView } from './plan-view.ts'
import { given } from './query.ts'

const PATH = '/dashboard/plan'
const section = 'plan'

const done = {
  pro: 'The account is on pro, for all its keys, from now on.',
  free: 'The account is on free from now on. Bookings that live stay as they are.',
}

/** `/dashboard/plan`: what the account may do, what that costs, what was invoiced, and the way to the other tier. */
export async function plan(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const found = await call(request, getPlan, {})
    const body = planView(found, request.keyHolder?.id ?? '')
    const { tier } = found.plan
    const notice = doneNotice(request, done, { pro: tier === 'pro', free: tier === 'free' })
    return sendPage(reply, dashboardPage(request, { title: 'Plan', section, body, notice }))
  })

  scope.get(`${PATH}/change`, async (request, reply) => {
    const found = await call(request, getPlan, {})
    const to = found.plan.tier === 'pro' ? 'free' : 'pro'
    const view = {
      title: `Move to ${to}?`,
      section,
      body: changeView(found, to, new Date()),
    } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(PATH, async (request, reply) => {
    const { plan } = await call(request, changePlan, given(request.body, ['tier']))
    return reply.redirect(`${PATH}?done=${plan.tier}`, 303)
  })
}
