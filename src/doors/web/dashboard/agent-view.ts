import type { Agent } from '../../../agents/schema/agents.ts'
import { type Html, html } from '../html.ts'
import { codeBlock, copyable, when } from '../parts.ts'
import { type AgentWish, agentFields } from './agent-fields.ts'
import { AGENTS_PATH, visibilityBadge } from './agents-view.ts'
import { actionForm, givenFacts, jsonText } from './controls.ts'

/** One agent: where its card is, how it says who it is, and everything that can be changed. */
export function agentView(agent: Agent, tried?: { wish: AgentWish; refused: string }): Html {
  const path = `${AGENTS_PATH}/${agent.name}`
  const envelope = { from: agent.id, intent: 'network.ping', payload: {} }
  return html`
${givenFacts([
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
<p>Its card and everything that is said of it are gone. The name stays yours.</p>
${actionForm(`${path}/delete`, 'Delete the agent', { tone: 'danger' })}
<p><a href="${AGENTS_PATH}">All agents</a></p>`
}
