import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deleteAgent } from '../../../agents/operations/delete-agent.ts'
import { getAgent } from '../../../agents/operations/read-agents.ts'
import { updateAgent } from '../../../agents/operations/update-agent.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import { type AgentWish, agentLabels, agentRefusals, agentWish } from './agent-fields.ts'
import { agentView } from './agent-view.ts'
import { AGENTS_PATH } from './agents-view.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice, tryForm } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'

const sentences = {
  registered: 'The agent is registered: its name is yours alone from now on.',
  changed: 'The agent is changed. Who has its card may keep it for a minute.',
}

/** `/dashboard/agents/{name}`: one agent of the account, changed and deleted here. */
export async function agent(scope: FastifyInstance, { call }: DashboardDeps) {
  const path = `${AGENTS_PATH}/:name`

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    tried?: { wish: AgentWish; refused: string },
  ) {
    const { agent } = await call(request, getAgent, nameOf(request))
    if (!agent.yours) throw refuse('agent_not_found')
    const view = { title: agent.name, section: 'agents', body: agentView(agent, tried) } as const
    return sendPage(
      reply,
      dashboardPage(request, { ...view, notice: doneNotice(request, sentences) }),
    )
  }

  scope.get(path, (request, reply) => show(request, reply))

  scope.post(path, async (request, reply) => {
    const wish = agentWish(request.body)
    const asked = call(request, updateAgent, { ...nameOf(request), ...wish })
    const { done, refused } = await tryForm(asked, agentLabels, agentRefusals)
    if (refused) return show(request, reply.code(refused.status), { wish, refused: refused.words })
    return reply.redirect(`${AGENTS_PATH}/${done.agent.name}?done=changed`, 303)
  })

  scope.post(`${path}/delete`, async (request, reply) => {
    await call(request, deleteAgent, nameOf(request))
    return reply.redirect(`${AGENTS_PATH}?done=deleted`, 303)
  })
}

/** The name in the address, as the schema of an operation will judge it. */
const nameOf = (request: FastifyRequest): { name: string } => request.params as { name: string }
