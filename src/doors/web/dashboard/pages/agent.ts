import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deleteAgent } from '../../../../agents/operations/delete-agent.ts'
import { getAgent } from '../../../../agents/operations/read-agents.ts'
import { updateAgent } from '../../../../agents/operations/update-agent.ts'
import type { Agent } from '../../../../agents/schema/agents.ts'
import { refuse } from '../../../../contract/rules/errors.ts'
import { codeBlock, copyable, jsonText } from '../../components/code.ts'
import { actionForm } from '../../components/form.ts'
import { facts } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice, tryForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import {
  type AgentWish,
  agentFields,
  agentLabels,
  agentRefusals,
  agentWish,
} from './agent-fields.ts'
import { AGENTS_PATH, visibilityBadge } from './agents.ts'

const sentences = {
  registered: 'Agent registered. Only your account can use its name.',
  changed: 'Saved. Cached cards may be up to a minute old.',
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

/** One agent: where its card is, how it says who it is, and everything that can be changed. */
function agentView(agent: Agent, tried?: { wish: AgentWish; refused: string }): Html {
  const path = `${AGENTS_PATH}/${agent.name}`
  const envelope = { from: agent.id, intent: 'network.ping', payload: {} }
  return html`
${facts([
  ['Sender', copyable(agent.id)],
  ['Visibility', visibilityBadge(agent)],
  ['Agent Card', agent.card_url ? html`<a href="${agent.card_url}">${agent.card_url}</a>` : null],
  ['Registered', when(agent.created_at)],
  ['Changed', when(agent.updated_at)],
])}
<h2>As a sender</h2>
<p>In an A2A envelope, with a key of this account:</p>
${codeBlock(jsonText(envelope), 'Envelope')}
<h2>Change</h2>
<form class="stack" method="post" action="${path}">
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
${agentFields(tried?.wish ?? agent)}
<button>Save</button></form>
<h2>Delete</h2>
<p>Removes its card and everything published about it. The name stays yours.</p>
${actionForm(`${path}/delete`, 'Delete agent', { tone: 'danger' })}
<p><a href="${AGENTS_PATH}">All agents</a></p>`
}
