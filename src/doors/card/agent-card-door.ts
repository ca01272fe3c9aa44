import type { FastifyInstance } from 'fastify'
import { readAgentCard } from '../../agents/operations/agent-card.ts'
import { agentCardPath } from '../../agents/rules/agents.ts'
import type { Services } from '../../contract/operation.ts'
import { exceeded } from '../guards/allowance.ts'
import type { Guards } from '../guards/guards.ts'
import { publish } from './published.ts'

/** For so long a card may be seen that its owner has changed or taken away. */
const MAX_AGE_SECONDS = 60

export type AgentCardDoor = {
  services: Pick<Services, 'db'>
  guards: Pick<Guards, 'admit' | 'limitAddress'>
}

/** The Agent Cards of public registered agents, specification section 2.6; everything else there is `agent_not_found`. */
export async function agentCardDoor(scope: FastifyInstance, { services, guards }: AgentCardDoor) {
  scope.get<{ Params: { name: string } }>(agentCardPath(':name'), async (request, reply) => {
    guards.admit()
    const allowance = await guards.limitAddress(request)
    if (!allowance.granted) throw exceeded(allowance)
    const found = await readAgentCard(services.db, request.params.name)
    if ('location' in found) return reply.redirect(found.location, 307)
    return publish(found.card, MAX_AGE_SECONDS)(request, reply)
  })
}
