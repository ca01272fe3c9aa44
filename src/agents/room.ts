import { answers, capability } from '../contract/capability.ts'
import type { Room, ServiceParts } from '../contract/room.ts'
import { deleteAgent } from './operations/delete-agent.ts'
import { listAgents } from './operations/list-agents.ts'
import { ping } from './operations/ping.ts'
import { getAgent, listOwnAgents } from './operations/read-agents.ts'
import { readFeed } from './operations/read-feed.ts'
import { registerAgent } from './operations/register-agent.ts'
import { updateAgent } from './operations/update-agent.ts'
import { createFeed, type FeedServices } from './store/feed-watch.ts'

const byName = { name: 'concierge-bali' }
const newAgent = {
  ...byName,
  description: 'Plans evenings in Bali and books them',
  capabilities: ['booking', 'travel.planning'],
}

const capabilities = [
  capability(listAgents, 'GET /api/agents/public', 'agent.list', { q: 'concierge' }),
  capability(registerAgent, 'POST /api/agents', 'agent.register', newAgent, {
    ...answers(
      { 200: 'Registered by an earlier request', 201: 'Registered' },
      ({ agent }) => `/api/agents/${agent.name}`,
    ),
  }),
  capability(listOwnAgents, 'GET /api/agents', 'agent.mine', {}),
  capability(getAgent, 'GET /api/agents/{name}', 'agent.get', byName),
  capability(updateAgent, 'PATCH /api/agents/{name}', 'agent.update', {
    ...byName,
    visibility: 'private',
  }),
  capability(deleteAgent, 'DELETE /api/agents/{name}', 'agent.delete', byName),
  capability(readFeed, 'GET /api/feed', 'network.feed', {}, { live: true }),
  capability(ping, 'GET /api/ping', 'network.ping', {}),
]

/** The network itself, and the agents on it. */
export const agents = {
  name: 'agents',
  inRealTime: true,
  capabilities,
  services: ({ db, stopping }: ServiceParts): FeedServices => ({ feed: createFeed(db, stopping) }),
} as const satisfies Room
