import type { Agent } from '../../../agents/schema/agents.ts'
import { type Html, html } from '../html.ts'
import { badge, empty, field, pager, table, when } from '../parts.ts'
import { type AgentWish, agentFields, freshAgent } from './agent-fields.ts'
import { address } from './query.ts'

/** Where the agents of the account are. */
export const AGENTS_PATH = '/dashboard/agents'

/** A form that was refused, and why. */
export type TriedAgent = { wish: AgentWish & { name: string }; refused: string }

/** The agents of the account, and the form for one more: open when there is none, or when it was refused. */
export function agentsView(
  { agents, nextCursor }: { agents: readonly Agent[]; nextCursor: string | null },
  tried?: TriedAgent,
): Html {
  const isOpen = agents.length === 0 || tried !== undefined
  return html`
<p>A registered name is its account’s alone: whoever else sends it as <code>from</code> is refused.
Public agents are <a href="/api/agents/public">listed</a>, each with an Agent Card.</p>
${
  agents.length === 0
    ? empty('No agents yet', html`Register the name that your agent sends as <code>from</code>.`)
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
${field('Name', { name: 'name', value: tried?.wish.name ?? '', required: true, maxlength: 100, placeholder: 'concierge-bali' }, 'Letters, digits, dots, hyphens and underscores. It stays what it is.')}
${agentFields(tried?.wish ?? freshAgent)}
<button>Register the agent</button></form></details>`
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
