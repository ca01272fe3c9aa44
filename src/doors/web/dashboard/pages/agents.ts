import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listOwnAgents } from '../../../../agents/operations/read-agents.ts'
import { registerAgent } from '../../../../agents/operations/register-agent.ts'
import type { Agent } from '../../../../agents/schema/agents.ts'
import { badge } from '../../components/badge.ts'
import { field } from '../../components/form.ts'
import { empty, pager } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice, tryForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import {
  type AgentWish,
  agentFields,
  agentLabels,
  agentRefusals,
  agentWish,
  freshAgent,
} from './agent-fields.ts'

const sentences = {
  deleted: 'Agent deleted. The name stays yours: you can register it again.',
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

/** Where the agents of the account are. */
export const AGENTS_PATH = '/dashboard/agents'

/** A form that was refused, and why. */
export type TriedAgent = { wish: AgentWish & { name: string }; refused: string }

/** The agents of the account, and the form for one more: open when there is none, or when it was refused. */
function agentsView(
  { agents, nextCursor }: { agents: readonly Agent[]; nextCursor: string | null },
  tried?: TriedAgent,
): Html {
  const isOpen = agents.length === 0 || tried !== undefined
  return html`
<p>Only your account can send a registered name as <code>from</code>.
Public agents are <a href="/api/agents/public">listed</a>, each with an Agent Card.</p>
${
  agents.length === 0
    ? empty('No agents yet', html`Register the name your agent sends as <code>from</code>.`)
    : table(
        ['Agent', 'Visibility', 'Capabilities', 'Version', 'Changed'],
        agents.map(row),
        'Agents',
      )
}
${pager(nextCursor, (cursor) => address(AGENTS_PATH, { cursor }))}
<details${isOpen ? html` open` : ''}><summary>Register an agent</summary>
<form class="stack" method="post" action="${AGENTS_PATH}">
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
${field('Name', { name: 'name', value: tried?.wish.name ?? '', required: true, maxlength: 100, placeholder: 'concierge-bali' }, 'Letters, digits, dots, hyphens and underscores. It cannot be changed later.')}
${agentFields(tried?.wish ?? freshAgent)}
<button>Register agent</button></form></details>`
}

const row = (agent: Agent) => [
  html`<a href="${AGENTS_PATH}/${agent.name}">${agent.id}</a><br><span class="quiet">${agent.description}</span>`,
  visibilityBadge(agent),
  agent.capabilities.join(', '),
  agent.version,
  when(agent.updated_at),
]

/** Who finds an agent, as a coloured word. */
export const visibilityBadge = ({ visibility }: Agent): Html =>
  badge(visibility, visibility === 'public' ? 'good' : 'quiet')
