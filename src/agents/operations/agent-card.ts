import { refuse } from '../../base/errors.ts'
import { FOREIGN } from '../../contract/foreign-text.ts'
import type { Db } from '../../platform/database/sql.ts'
import { agentNamePattern } from '../rules/agents.ts'
import type { AgentCard } from '../schema/agents.ts'
import { type AgentRow, selectOptionalAgent } from '../store/agents.ts'

/** The card of a public agent, or the URL of a card hosted elsewhere. Throws `agent_not_found`. */
export async function readAgentCard(
  db: Db,
  name: string,
): Promise<{ card: AgentCard } | { location: string }> {
  const agent = agentNamePattern.test(name) ? await selectOptionalAgent(db, name, null) : undefined
  if (!agent) throw refuse('agent_not_found')
  return agent.card_url ? { location: agent.card_url } : { card: cardOf(agent) }
}

/** See specification section 2.6. Lists only protocols that have an endpoint. */
function cardOf(row: AgentRow): AgentCard {
  const { id, name, description, capabilities, version, a2a_url, mcp_url, homepage } = row
  const endpoints = { ...(a2a_url && { a2a: a2a_url }), ...(mcp_url && { mcp: mcp_url }) }
  return {
    id,
    name,
    description,
    capabilities,
    protocols: (['a2a', 'mcp'] as const).filter((protocol) => protocol in endpoints),
    endpoints,
    version,
    [FOREIGN]: ['description', 'capabilities', 'endpoints', 'homepage'],
    ...(homepage && { homepage }),
  }
}
