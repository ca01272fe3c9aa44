import { type Capability, capability } from '../contract/capability.ts'
import { deleteAgent } from './operations/delete-agent.ts'
import { listAgents } from './operations/list-agents.ts'
import { ping } from './operations/ping.ts'
import { getAgent, listOwnAgents } from './operations/read-agents.ts'
import { readFeed } from './operations/read-feed.ts'
import { registerAgent } from './operations/register-agent.ts'
import { updateAgent } from './operations/update-agent.ts'

const exampleName = 'concierge-bali'

/** The network itself, and the agents on it. */
export const agentCapabilities: readonly Capability[] = [
  capability({
    operation: listAgents,
    example: { q: 'concierge' },
    rest: { route: 'GET /api/agents/public' },
    a2a: 'agent.list',
  }),
  capability({
    operation: registerAgent,
    example: {
      name: exampleName,
      description: 'Plans evenings in Bali and books them',
      capabilities: ['booking', 'travel.planning'],
    },
    rest: {
      route: 'POST /api/agents',
      statuses: { 200: 'Registered by an earlier request', 201: 'Registered' },
      answer: ({ agent, replayed }) => ({
        status: replayed ? 200 : 201,
        headers: { location: `/api/agents/${agent.name}` },
      }),
    },
    a2a: 'agent.register',
  }),
  capability({
    operation: listOwnAgents,
    example: {},
    rest: { route: 'GET /api/agents' },
    a2a: 'agent.mine',
  }),
  capability({
    operation: getAgent,
    example: { name: exampleName },
    rest: { route: 'GET /api/agents/{name}' },
    a2a: 'agent.get',
  }),
  capability({
    operation: updateAgent,
    example: { name: exampleName, visibility: 'private' },
    rest: { route: 'PATCH /api/agents/{name}' },
    a2a: 'agent.update',
  }),
  capability({
    operation: deleteAgent,
    example: { name: exampleName },
    rest: { route: 'DELETE /api/agents/{name}' },
    a2a: 'agent.delete',
  }),
  capability({
    operation: readFeed,
    example: {},
    rest: { route: 'GET /api/feed', live: true },
    a2a: 'network.feed',
  }),
  capability({
    operation: ping,
    example: {},
    rest: { route: 'GET /api/ping' },
    a2a: 'network.ping',
  }),
]
