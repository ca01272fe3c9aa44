import type { FastifyInstance } from 'fastify'
import { catalogue } from '../../../catalogue.ts'
import type { Capability } from '../../../contract/capability.ts'
import { networkProfile } from '../../../contract/rules/network.ts'
import { publishedDocuments } from './documents.ts'
import { errorsMarkdown } from './errors.ts'
import { sendDocument } from './send-document.ts'

const MAX_AGE_SECONDS = 300

/** `/llms.txt` after llmstxt.org: what there is for a model to read; `/llms-full.txt`: all of the documentation in one. */
export async function llmsText(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  let kept: string | undefined
  const whole = () => {
    const sources = publishedDocuments().map(({ source }) => source)
    kept ??= [overview(publicUrl), ...sources, errorsMarkdown].join('\n\n')
    return kept
  }
  scope.get('/llms.txt', async (request, reply) =>
    sendDocument(
      request,
      reply,
      { type: 'text/plain', body: overview(publicUrl) },
      MAX_AGE_SECONDS,
    ),
  )
  scope.get('/llms-full.txt', async (request, reply) =>
    sendDocument(request, reply, { type: 'text/plain', body: whole() }, MAX_AGE_SECONDS),
  )
}

/** In the form of llmstxt.org: below the first heading of level two there are links alone. */
function overview(publicUrl: string): string {
  const link = (words: string, path: string, what: string) =>
    `- [${words}](${publicUrl}${path}): ${what}`
  const of = (audience: 'agents' | 'venues') =>
    publishedDocuments()
      .filter((one) => one.audience === audience)
      .map(({ name, summary, rendered }) => link(rendered.title, `/docs/${name}.md`, summary))
  return [
    `# ${networkProfile.name}`,
    `> ${networkProfile.description}`,
    [
      `The same operations three ways: A2A at \`POST ${publicUrl}/a2a/v1\`, MCP at \`${publicUrl}/mcp/sse\`, REST at \`${publicUrl}/api\`.`,
      `Send \`Authorization: Bearer <API_KEY>\`; a key comes with an account (${publicUrl}/sign-up). Listing venues needs none: \`GET ${publicUrl}/api/venues\`.`,
    ].join('\n'),
    ['Operations:', ...catalogue.map(operationLine)].join('\n'),
    '## Machine-readable',
    [
      link('OpenAPI', '/openapi.json', 'every REST call, its schema and its errors'),
      link('Agent Card', networkProfile.cardPath, 'the doors and skills of the network'),
      link('API catalog', '/.well-known/api-catalog', 'the same as a linkset (RFC 9727)'),
      link('Sitemap', '/sitemap.xml', 'every venue and document'),
    ].join('\n'),
    '## Venues',
    link(
      'Venues',
      '/venues.md',
      'search with `?q=`, `category`, `area`, `party_size`, `date`, `time`; each venue and its times at `/venues/{slug}.md`',
    ),
    '## Documentation for developers of agents',
    [...of('agents'), link('Errors', '/errors.md', 'every code, its meaning and the fix')].join(
      '\n',
    ),
    '## Documentation for venues',
    of('venues').join('\n'),
    '## Optional',
    link('All documents in one', '/llms-full.txt', 'the documentation and the errors'),
    '',
  ].join('\n\n')
}

const operationLine = ({ operation, rest, a2a, formerly, mcp }: Capability) => {
  const older = formerly ? ` (formerly \`${formerly}\`)` : ''
  const tool = mcp ? `, MCP \`${mcp.tool}\`` : ''
  return `- ${operation.summary}: \`${rest.route}\`, A2A \`${a2a}\`${older}${tool}`
}
