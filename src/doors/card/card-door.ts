import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { NETWORK_VERSION } from '../../model/ids.ts'
import { networkProfile } from '../../model/network.ts'
import { catalogue } from '../../operations/catalog.ts'

const MAX_AGE_SECONDS = 300

/** The Agent Card, specification section 2.6, and the network's skills beside its fields. */
export async function cardDoor(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const body = JSON.stringify(agentCard(publicUrl))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

  scope.get(networkProfile.cardPath, async (request, reply) => {
    reply.header('etag', etag).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
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
