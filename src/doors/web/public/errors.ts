import type { FastifyInstance } from 'fastify'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { ErrorSpec } from '../../../contract/rules/error-spec.ts'
import { html } from '../html.ts'
import { publicPage } from '../page.ts'
import { sendTwin } from './send-document.ts'

const MAX_AGE_SECONDS = 300
const entries: [string, ErrorSpec][] = Object.entries(errorCatalogue)

/** `/errors`: one anchor per code, where `type` of a problem and `docs` of an envelope lead. */
export async function errorsPage(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const about = { canonical: `${publicUrl}/errors`, markdown: '/errors.md' }
  const document = publicPage('Errors', view, about)
  for (const path of ['/errors', '/errors.md']) {
    scope.get(path, async (request, reply) =>
      sendTwin(
        request,
        reply,
        { html: () => document, markdown: () => errorsMarkdown },
        { isMarkdown: path.endsWith('.md'), maxAgeSeconds: MAX_AGE_SECONDS },
      ),
    )
  }
}

const labelOf = ({ status, retryable }: ErrorSpec) => `${status}${retryable ? ' · retryable' : ''}`

const entry = ([code, spec]: [string, ErrorSpec]) => html`
<li id="${code}"><span class="tag">${labelOf(spec)}</span><a href="#${code}"><code>${code}</code></a>
<p><strong>${spec.title}.</strong> ${spec.advice}</p></li>`

const preface =
  'Codes are the same for REST (problem details, RFC 9457), A2A (`error` in the envelope) and MCP (a result with `isError`). Retry a retryable request unchanged.'

const view = html`
<h1>Errors</h1>
<p>${preface.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}</p>
<ul class="list">${entries.map(entry)}</ul>`

/** The same catalogue in Markdown. */
export const errorsMarkdown = [
  '# Errors',
  preface,
  ...entries.map(
    ([code, spec]) => `## ${code}\n\n${labelOf(spec)}. **${spec.title}.** ${spec.advice}`,
  ),
  '',
].join('\n\n')
