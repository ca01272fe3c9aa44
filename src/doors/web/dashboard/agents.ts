import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listOwnAgents } from '../../../agents/operations/read-agents.ts'
import { registerAgent } from '../../../agents/operations/register-agent.ts'
import { agentLabels, agentRefusals, agentWish } from './agent-fields.ts'
import { AGENTS_PATH, agentsView, type TriedAgent } from './agents-view.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice, tryForm } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given } from './query.ts'

const sentences = {
  deleted: 'The agent is deleted. Its name stays yours: register it again whenever you like.',
}

/** `/dashboard/agents`: the agents of the account, and a form for one more. */
export async function agents(scope: FastifyInstance, { call }: DashboardDeps) {
  async function show(request: FastifyRequest, reply: FastifyReply, tried?: TriedAgent) {
    const { cursor } = given(request.query, ['cursor'])
    const page = await call(request, listOwnAgents, { ...(cursor && { cursor }) })
    const list = { agents: page.agents, nextCursor: page.next_cursor }
    const view = { title: 'Agents', section: 'agents', body: agentsView(list, tried) } as const
    return sendPage(
      reply,
      dashboardPage(request, { ...view, notice: doneNotice(request, sentences) }),
    )
  }

  scope.get(AGENTS_PATH, (request, reply) => show(request, reply))

  scope.post(AGENTS_PATH, async (request, reply) => {
    const { name = '' } = given(request.body, ['name'])
    const wish = { name, ...agentWish(request.body) }
    const asked = call(request, registerAgent, wish)
    const { done, refused } = await tryForm(asked, agentLabels, agentRefusals)
    if (refused) return show(request, reply.code(refused.status), { wish, refused: refused.words })
    return reply.redirect(`${AGENTS_PATH}/${done.agent.name}?done=registered`, 303)
  })
}
