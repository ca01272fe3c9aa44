import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { DOCUMENT_SECONDS, serveTwins } from '../../doors/http/send-document.ts'
import { html } from '../page/html.ts'
import { publicPage } from '../page/page.ts'
import { renderMarkdown } from './markdown.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TEMPLATES = join(ROOT, 'docs/legal')

/** The paths of the texts about the network itself. */
export const sitePaths = ['/changelog', '/terms', '/privacy', '/contact']

/** `/changelog`, `/terms`, `/privacy` and `/contact`, each with its Markdown version. */
export async function sitePages(scope: FastifyInstance, { publicUrl, config }: DoorDeps) {
  const { LEGAL_DIR = TEMPLATES } = config
  const read = (path: string) => readFileSync(path, 'utf8')
  const sources: Record<string, string> = {
    '/changelog': read(join(ROOT, 'CHANGELOG.md')),
    '/terms': read(join(LEGAL_DIR, 'terms.md')),
    '/privacy': read(join(LEGAL_DIR, 'privacy.md')),
    '/contact': contactText(config),
  }
  for (const [path, source] of Object.entries(sources)) {
    const { title, body } = renderMarkdown(source)
    const page = (request: FastifyRequest) =>
      publicPage(title, html`<article class="prose">${body}</article>`, {
        canonical: `${publicUrl}${path}`,
        markdown: `${path}.md`,
        request,
      })
    serveTwins(scope, path, DOCUMENT_SECONDS, async ({ request }) => ({
      html: () => page(request),
      markdown: () => source,
    }))
  }
}

const contactText = ({ CONTACT_EMAIL, SOURCE_URL }: Config): string =>
  `# Contact

${
  CONTACT_EMAIL
    ? `Write to [${CONTACT_EMAIL}](mailto:${CONTACT_EMAIL}). Quote the request id of a call that ` +
      'went wrong: it is in `X-Request-Id` and on every error page.'
    : 'The operator of this network has not published an address.'
}

- **A booking of yours**: ask the agent that made it, or use the link of the booking.
- **Your account**: sign in to the [dashboard](/dashboard).
- **An outage**: see [status](/status) first.
- **A security problem**: write to the address above, and say nothing in public until it is fixed.

## Source

${
  SOURCE_URL
    ? `The source of this network is at <${SOURCE_URL}>, under the Apache License 2.0.`
    : 'This network runs Venue Network, which is open source under the Apache License 2.0.'
}
`
