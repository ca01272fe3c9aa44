import type { FastifyInstance } from 'fastify'
import { catalogue } from '../../catalogue.ts'
import { NETWORK_VERSION } from '../../contract/rules/ids.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { servePublished } from './published.ts'

/** The Agent Card, specification section 2.6, and the network's skills beside its fields. */
export async function cardDoor(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  servePublished(scope, networkProfile.cardPath, agentCard(publicUrl))
}

function agentCard(publicUrl: string) {
  const { name, description, capabilities, protocols } = networkProfile
  return {
    name,
    description,
    capabilities,
    protocols,
    endpoints: { a2a: `${publicUrl}/a2a/v1`, mcp: `${publicUrl}/mcp/sse` },
    version: NETWORK_VERSION,
    skills: catalogue.map(({ operation, a2a, example }) => ({
      id: a2a,
      name: operation.summary,
      description: operation.description,
      tags: [a2a.split('.', 1)[0], operation.tier],
      examples: [JSON.stringify({ intent: a2a, payload: example })],
    })),
  }
}
