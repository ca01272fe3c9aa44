import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../../contract/rules/network.ts'
import type { DoorDeps } from '../../run-operation.ts'
import {
  DOCUMENT_SECONDS,
  HTML,
  JSON_TYPE,
  sendDocument,
  serveDocument,
  TEXT,
} from '../../send-document.ts'

const CATALOG_PATH = '/.well-known/api-catalog'
/** RFC 9727 section 4.2. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
const notForCrawlers = ['/api/', '/a2a/', '/mcp/', '/dashboard', '/venue/', '/sign-']

/** `/.well-known/api-catalog` (RFC 9727) describes each door; `/robots.txt` names the sitemap. */
export async function wellKnown(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  const link = (path: string, type: string) => ({ href: `${publicUrl}${path}`, type })
  const docs = [link('/docs', HTML), link('/llms.txt', TEXT)]
  const status = [link('/status', JSON_TYPE)]
  const agentDoor = (path: string) => ({
    anchor: `${publicUrl}${path}`,
    'service-desc': [link(networkProfile.cardPath, JSON_TYPE)],
    'service-doc': docs,
    status,
  })
  const rest = {
    anchor: `${publicUrl}/api`,
    'service-desc': [link('/openapi.json', JSON_TYPE)],
    'service-doc': [link('/reference/', HTML), ...docs],
    status,
  }
  const body = JSON.stringify({ linkset: [rest, agentDoor('/a2a/v1'), agentDoor('/mcp/sse')] })
  scope.get(CATALOG_PATH, async (_, reply) => {
    reply.header('link', `<${publicUrl}${CATALOG_PATH}>; rel="api-catalog"`)
    return sendDocument(reply, LINKSET, body, DOCUMENT_SECONDS)
  })

  const disallowed = notForCrawlers.map((path) => `Disallow: ${path}`).join('\n')
  const robots = `User-agent: *\n${disallowed}\n\nSitemap: ${publicUrl}/sitemap.xml\n`
  serveDocument(scope, '/robots.txt', TEXT, robots)
}
