import type { FastifyInstance } from 'fastify'
import { PROTOCOL } from '../../base/ids.ts'
import { networkProfile } from '../../base/network.ts'
import type { Capability } from '../../contract/capability.ts'
import { FOREIGN_NOTE } from '../../doors/calls/describe-operation.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { serveDocument } from '../../doors/http/prepared-document.ts'
import {
  DOCUMENT_SECONDS,
  HTML,
  JSON_TYPE,
  sendDocument,
  TEXT,
} from '../../doors/http/send-document.ts'
import { catalogue } from '../../network.ts'
import { type Audience, documentsFor, publishedDocuments } from '../docs/documents.ts'
import { errorsMarkdown } from './errors.ts'
import wholeBooking from './whole-booking.json' with { type: 'json' }

const CATALOG_PATH = '/.well-known/api-catalog'
/** RFC 9727 section 4.2. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
/** RFC 9309 section 2.2.2: the longest match wins, so this path stays open within `/api/`. */
const forCrawlers = ['/api/agents/public']
const notForCrawlers = ['/api/', '/a2a/', '/mcp', '/dashboard', '/venue/', '/sign-']

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
  const body = JSON.stringify({
    linkset: [rest, agentDoor('/a2a/v1'), agentDoor('/mcp'), agentDoor('/mcp/sse')],
  })
  scope.get(CATALOG_PATH, async (_, reply) => {
    reply.header('link', `<${publicUrl}${CATALOG_PATH}>; rel="api-catalog"`)
    return sendDocument(reply, LINKSET, body, DOCUMENT_SECONDS)
  })

  const rules = [
    ...forCrawlers.map((path) => `Allow: ${path}`),
    ...notForCrawlers.map((path) => `Disallow: ${path}`),
  ]
  const robots = `User-agent: *\n${rules.join('\n')}\n\nSitemap: ${publicUrl}/sitemap.xml\n`
  serveDocument(scope, '/robots.txt', TEXT, () => robots)
}

/** `/llms.txt` (llmstxt.org): an index; `/llms-full.txt`: documents without operators' commands. */
export async function llmsText(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  serveDocument(scope, '/llms.txt', TEXT, () => overview(publicUrl))
  serveDocument(scope, '/llms-full.txt', TEXT, () => {
    const sources = publishedDocuments(publicUrl).flatMap(({ audience, source }) =>
      audience === 'operators' ? [] : source,
    )
    return [overview(publicUrl), ...sources, errorsMarkdown].join('\n\n')
  })
}

const keyless = catalogue.flatMap(({ mcp }) => (mcp?.keyless ? [`\`${mcp.tool}\``] : [])).join(', ')

/** llmstxt.org: only links are allowed after the first level-two heading. */
function overview(publicUrl: string): string {
  const link = (words: string, path: string, what: string) =>
    `- [${words}](${publicUrl}${path}): ${what}`
  const linksFor = (audience: Audience) =>
    documentsFor(audience, publicUrl).map(({ name, summary, rendered }) =>
      link(rendered.title, `/docs/${name}.md`, summary),
    )
  const venuesText =
    'search with `?q=`, `category`, `area`, `party_size`, `date`, `time`; ' +
    'each venue and its times at `/venues/{slug}.md`'
  const sections = [
    [`# ${networkProfile.name}`],
    [`> ${networkProfile.description}`],
    [
      `The same operations three ways: A2A at \`POST ${publicUrl}/a2a/v1\`, ` +
        `MCP at \`${publicUrl}/mcp\` (Streamable HTTP; the older HTTP+SSE at \`/mcp/sse\`), ` +
        `REST at \`${publicUrl}/api\`.`,
      'Send `Authorization: Bearer <API_KEY>`; a key comes with an account ' +
        `(${publicUrl}/sign-up). MCP clients and others with OAuth 2.1 sign in instead: see ` +
        `${publicUrl}/.well-known/oauth-protected-resource/mcp. Listing venues needs none: ` +
        `\`GET ${publicUrl}/api/venues\`; ` +
        `at ${publicUrl}/mcp neither do ${keyless}.`,
      'A test key (`service_test_…`, from `POST /api/keys` with `{"mode":"test"}`) books in a ' +
        `sandbox where nobody is told: ${publicUrl}/docs/sandbox.md.`,
    ],
    [FOREIGN_NOTE],
    [
      `A whole booking at A2A, each in {"protocol":"${PROTOCOL}","intent":…,"payload":…}; ` +
        'the fields are the same at REST and MCP:',
      // test/system/every-door-agrees.test.ts sends each of these steps.
      ...wholeBooking,
    ],
    ['Operations:', ...catalogue.map(operationLine)],
    ['## Machine-readable'],
    [
      link('OpenAPI', '/openapi.json', 'every REST call, its schema and its errors'),
      link('Agent Card', networkProfile.cardPath, 'the doors and skills of the network'),
      link('server.json', '/server.json', 'the entry for directories of MCP servers'),
      link('API catalog', '/.well-known/api-catalog', 'the same as a linkset (RFC 9727)'),
      link('Sitemap', '/sitemap.xml', 'every venue and document'),
    ],
    ['## Venues'],
    [link('Venues', '/venues.md', venuesText)],
    ['## Documentation for developers of agents'],
    [...linksFor('agents'), link('Errors', '/errors.md', 'every code, its meaning and the fix')],
    ['## Documentation for venues'],
    linksFor('venues'),
    ['## Documentation for operators'],
    linksFor('operators'),
    ['## Optional'],
    [
      link('Documents in one', '/llms-full.txt', 'those for developers and venues, and the errors'),
      '',
    ],
  ]
  return sections.map((lines) => lines.join('\n')).join('\n\n')
}

const operationLine = ({ operation, rest, a2a, mcp }: Capability) => {
  const tool = mcp ? `, MCP \`${mcp.tool}\`${mcp.action ? ` (action \`${mcp.action}\`)` : ''}` : ''
  return `- ${operation.summary}: \`${rest.route}\`, A2A \`${a2a}\`${tool}`
}
