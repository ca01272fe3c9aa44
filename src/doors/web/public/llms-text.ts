import type { FastifyInstance } from 'fastify'
import { catalogue } from '../../../catalogue.ts'
import type { Capability } from '../../../contract/capability.ts'
import { networkProfile } from '../../../contract/rules/network.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { DOCUMENT_SECONDS, sendDocument, TEXT } from '../../send-document.ts'
import { publishedDocuments } from './documents.ts'
import { errorsMarkdown } from './errors.ts'

/** `/llms.txt` (llmstxt.org): an index for models; `/llms-full.txt`: all documentation in one. */
export async function llmsText(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  let all: string | undefined
  const readAll = () => {
    const sources = publishedDocuments().map(({ source }) => source)
    all ??= [overview(publicUrl), ...sources, errorsMarkdown].join('\n\n')
    return all
  }
  scope.get('/llms.txt', async (_, reply) =>
    sendDocument(reply, TEXT, overview(publicUrl), DOCUMENT_SECONDS),
  )
  scope.get('/llms-full.txt', async (_, reply) =>
    sendDocument(reply, TEXT, readAll(), DOCUMENT_SECONDS),
  )
}

/** llmstxt.org: below the first heading of level two there are only links. */
function overview(publicUrl: string): string {
  const link = (words: string, path: string, what: string) =>
    `- [${words}](${publicUrl}${path}): ${what}`
  const documentsFor = (reader: 'agents' | 'venues') =>
    publishedDocuments()
      .filter(({ audience }) => audience === reader)
      .map(({ name, summary, rendered }) => link(rendered.title, `/docs/${name}.md`, summary))
  const venuesText =
    'search with `?q=`, `category`, `area`, `party_size`, `date`, `time`; ' +
    'each venue and its times at `/venues/{slug}.md`'
  const sections = [
    [`# ${networkProfile.name}`],
    [`> ${networkProfile.description}`],
    [
      `The same operations three ways: A2A at \`POST ${publicUrl}/a2a/v1\`, ` +
        `MCP at \`${publicUrl}/mcp/sse\`, REST at \`${publicUrl}/api\`.`,
      'Send `Authorization: Bearer <API_KEY>`; a key comes with an account ' +
        `(${publicUrl}/sign-up). Listing venues needs none: \`GET ${publicUrl}/api/venues\`.`,
    ],
    ['Operations:', ...catalogue.map(operationLine)],
    ['## Machine-readable'],
    [
      link('OpenAPI', '/openapi.json', 'every REST call, its schema and its errors'),
      link('Agent Card', networkProfile.cardPath, 'the doors and skills of the network'),
      link('API catalog', '/.well-known/api-catalog', 'the same as a linkset (RFC 9727)'),
      link('Sitemap', '/sitemap.xml', 'every venue and document'),
    ],
    ['## Venues'],
    [link('Venues', '/venues.md', venuesText)],
    ['## Documentation for developers of agents'],
    [
      ...documentsFor('agents'),
      link('Errors', '/errors.md', 'every code, its meaning and the fix'),
    ],
    ['## Documentation for venues'],
    documentsFor('venues'),
    ['## Optional'],
    [link('All documents in one', '/llms-full.txt', 'the documentation and the errors'), ''],
  ]
  return sections.map((lines) => lines.join('\n')).join('\n\n')
}

const operationLine = ({ operation, rest, a2a, formerly, mcp }: Capability) => {
  const older = formerly ? ` (formerly \`${formerly}\`)` : ''
  const tool = mcp ? `, MCP \`${mcp.tool}\`` : ''
  return `- ${operation.summary}: \`${rest.route}\`, A2A \`${a2a}\`${older}${tool}`
}
