import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../../model/error-catalogue.ts'
import { Refusal } from '../../../model/errors.ts'
import { listOwnAgents } from '../../../operations/read-agents.ts'
import { registerAgent } from '../../../operations/register-agent.ts'
import { agentWish } from './agent-fields.ts'
import { AGENTS_PATH, agentsView, type TriedAgent } from './agents-view.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given } from './query.ts'

const done = {
  deleted: 'The agent is deleted. Its name stays yours: register it again whenever you like.',
}

/** `/dashboard/agents`: the agents of the account, and a form for one more. */
export async function agents(scope: FastifyInstance, { call }: DashboardDeps) {
  async function show(request: FastifyRequest, reply: FastifyReply, tried?: TriedAgent) {
    const { cursor } = given(request.query, ['cursor'])
    const page = await call(request, listOwnAgents, { ...(cursor && { cursor }) })
    const list = { agents: page.agents, nextCursor: page.next_cursor }
    const view = { title: 'Agents', section: 'agents', body: agentsView(list, tried) } as const
    return sendPage(reply, dashboardPage(request, { ...view, notice: doneNotice(request, done) }))
  }

  scope.get(AGENTS_PATH, (request, reply) => show(request, reply))

  scope.post(AGENTS_PATH, async (request, reply) => {
    const { name = '' } = given(request.body, ['name'])
    const wish = { name, ...agentWish(request.body) }
    const made = await call(request, registerAgent, wish).catch(mendable)
    if (made instanceof Refusal) {
      reply.code(errorCatalogue[made.data.code].status)
      return show(request, reply, { wish, refused: made.data.message })
    }
    return reply.redirect(`${AGENTS_PATH}/${made.agent.name}?done=registered`, 303)
  })
}

const codes = ['invalid_request', 'agent_name_taken', 'agent_name_reserved', 'agent_limit']

/** A refusal that a change of the form can mend; anything else is thrown on. */
export function mendable(error: unknown): Refusal {
  if (error instanceof Refusal && codes.includes(error.data.code)) return error
  throw error
}
