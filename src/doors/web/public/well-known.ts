import type { FastifyInstance } from 'fastify'
import { networkProfile } from '../../../contract/rules/network.ts'
import { sendDocument } from './send-document.ts'

const CATALOG_PATH = '/.well-known/api-catalog'
const MAX_AGE_SECONDS = 300
/** RFC 9727 section 4.2. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** `/.well-known/api-catalog`, RFC 9727: each door, with what describes it to programs and to people. `/robots.txt` leads to the sitemap. */
export async function wellKnown(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const link = (path: string, type: string) => ({ href: `${publicUrl}${path}`, type })
  const docs = [link('/docs', 'text/html'), link('/llms.txt', 'text/plain')]
  const status = [link('/status', 'application/json')]
  const card = [link(networkProfile.cardPath, 'application/json')]
  const body = JSON.stringify({
    linkset: [
      {
        anchor: `${publicUrl}/api`,
        'service-desc': [link('/openapi.json', 'application/json')],
        'service-doc': [link('/reference/', 'text/html'), ...docs],
        status,
      },
      { anchor: `${publicUrl}/a2a/v1`, 'service-desc': card, 'service-doc': docs, status },
      { anchor: `${publicUrl}/mcp/sse`, 'service-desc': card, 'service-doc': docs, status },
    ],
  })
  scope.get(CATALOG_PATH, async (request, reply) => {
    reply.header('link', `<${publicUrl}${CATALOG_PATH}>; rel="api-catalog"`)
    return sendDocument(request, reply, { type: LINKSET, body }, MAX_AGE_SECONDS)
  })

  const robots = [
    'User-agent: *',
    ...['/api/', '/a2a/', '/mcp/', '/dashboard', '/venue/', '/sign-'].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
  scope.get('/robots.txt', async (request, reply) =>
    sendDocument(request, reply, { type: 'text/plain', body: robots }, MAX_AGE_SECONDS),
  )
}
