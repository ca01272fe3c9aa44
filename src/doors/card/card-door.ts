import type { FastifyInstance } from 'fastify'
import { readAgentCard } from '../../agents/operations/agent-card.ts'
import { agentCardPath } from '../../agents/rules/agents.ts'
import { NETWORK_VERSION } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'
import { TIMELINE_KEYS_PATH } from '../../bookings/rules/timeline.ts'
import { catalogue } from '../../network.ts'
import type { X402Terms } from '../../x402/rules/terms.ts'
import { X402_EXTENSION } from '../a2a/payment-meta.ts'
import { describeOperation } from '../calls/describe-operation.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { withoutKey } from '../calls/without-key.ts'
import { requireGranted } from '../guards/allowance.ts'
import { serveDocument } from '../http/prepared-document.ts'
import { JSON_TYPE, sendDocument, TEXT } from '../http/send-document.ts'
import { serverJson } from '../mcp/server-json.ts'

/** Where version 0.2 of the A2A project expects a card; its clients do not follow redirects. */
const FORMER_CARD_PATH = '/.well-known/agent.json'

/** How long a card may be cached after its owner has changed or removed it. */
const AGENT_CARD_SECONDS = 60

/**
 * The Agent Cards of the network and of public agents (specification section 2.6), the entry for
 * directories of MCP servers with proofs of the domain, and the public keys for timeline
 * signatures as a JWK set (RFC 7517), the current key first.
 */
export async function cardDoor(
  scope: FastifyInstance,
  { services, guards, config, publicUrl }: DoorDeps,
) {
  const { keys } = services.timelineSigner
  const proofs = {
    'openai-apps-challenge': config.OPENAI_APPS_CHALLENGE,
    'mcp-registry-auth': config.MCP_REGISTRY_AUTH,
  }
  scope.addHook('onRequest', async () => guards.admit())
  for (const path of [networkProfile.cardPath, FORMER_CARD_PATH]) {
    serveDocument(scope, path, JSON_TYPE, () => networkCard(publicUrl, services.settings.x402))
  }
  serveDocument(scope, '/server.json', JSON_TYPE, () => serverJson(publicUrl))
  for (const [name, proof] of Object.entries(proofs)) {
    if (proof) serveDocument(scope, `/.well-known/${name}`, TEXT, () => proof)
  }
  serveDocument(scope, TIMELINE_KEYS_PATH, JSON_TYPE, () => JSON.stringify({ keys }))

  scope.get<{ Params: { name: string } }>(agentCardPath(':name'), async (request, reply) => {
    requireGranted(await guards.limitAddress(request))
    const answer = await readAgentCard(services.db, request.params.name)
    if ('location' in answer) return reply.redirect(answer.location, 307)
    return sendDocument(reply, JSON_TYPE, JSON.stringify(answer.card), AGENT_CARD_SECONDS)
  })
}

/** If x402 payments are not enabled, the card lists them as planned. */
function networkCard(publicUrl: string, terms: X402Terms | null): string {
  const { name, description, capabilities, protocols, planned } = networkProfile
  return JSON.stringify({
    name,
    description,
    capabilities,
    protocols,
    ...(terms ? { extensions: [extensionOf(terms)] } : { planned }),
    endpoints: { a2a: `${publicUrl}/a2a/v1`, mcp: `${publicUrl}/mcp/sse` },
    mcp: {
      url: `${publicUrl}/mcp`,
      transport: 'streamable-http',
      versions: ['2026-07-28', '2025-11-25'],
      authorization_servers: [publicUrl],
      tools_without_key: withoutKey.mcp,
    },
    version: NETWORK_VERSION,
    skills: catalogue.map(({ operation, a2a, example }) => ({
      id: a2a,
      name: operation.summary,
      description: describeOperation(operation),
      tags: [a2a.split('.', 1)[0], operation.tier],
      examples: [JSON.stringify({ intent: a2a, payload: example })],
    })),
  })
}

/** The payment extension that the A2A door supports. */
const extensionOf = ({ network, asset, payTo }: X402Terms) => ({
  uri: X402_EXTENSION,
  description: 'Bookings can be paid per call, without a key or on the free tier.',
  required: false,
  params: { network, asset: asset.address, pay_to: payTo, scheme: 'exact' },
})
