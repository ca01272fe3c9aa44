import { NETWORK_VERSION } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** `server.json` of the MCP registry: its namespace is the network's domain, in reverse. */
export function serverJson(publicUrl: string): string {
  const namespace = new URL(publicUrl).hostname.split('.').toReversed().join('.')
  return JSON.stringify({
    $schema: SCHEMA,
    name: `${namespace}/venue-network`,
    title: networkProfile.name,
    // The registry takes at most 100 characters.
    description:
      'Search restaurants, bars, gyms and spas in Southeast Asia, see free times and book.',
    version: NETWORK_VERSION,
    websiteUrl: `${publicUrl}/docs/mcp`,
    remotes: [{ type: 'streamable-http', url: `${publicUrl}/mcp` }],
  })
}
