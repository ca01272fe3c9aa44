import type { FastifyInstance } from 'fastify'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { ErrorSpec } from '../../../contract/rules/error-spec.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { DOCUMENT_SECONDS, serveTwins } from '../../send-document.ts'
import { html } from '../html.ts'
import { publicPage } from '../page.ts'

const entries: [string, ErrorSpec][] = Object.entries(errorCatalogue)

/** `/errors`: an anchor per code, where `type` of a problem and `docs` of an envelope lead. */
export async function errorsPage(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  const about = { canonical: `${publicUrl}/errors`, markdown: '/errors.md' }
  const document = publicPage('Errors', view, about)
  const twins = { html: () => document, markdown: () => errorsMarkdown }
  serveTwins(scope, '/errors', DOCUMENT_SECONDS, async () => twins)
}

const labelOf = ({ status, retryable }: ErrorSpec) => `${status}${retryable ? ' · retryable' : ''}`

const preface =
  'Codes are the same for REST (problem details, RFC 9457), A2A (`error` in the envelope) and ' +
  'MCP (a result with `isError`). Retry a retryable request unchanged.'

const view = html`
<h1>Errors</h1>
<p>${preface
  .split('`')
  .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}</p>
<ul class="list">${entries.map(
  ([code, spec]) => html`
<li id="${code}"><span class="tag">${labelOf(spec)}</span><a
href="#${code}"><code>${code}</code></a>
<p><strong>${spec.title}.</strong> ${spec.advice}</p></li>`,
)}</ul>`

/** The catalogue in Markdown. */
export const errorsMarkdown = [
  '# Errors',
  preface,
  ...entries.map(
    ([code, spec]) => `## ${code}\n\n${labelOf(spec)}. **${spec.title}.** ${spec.advice}`,
  ),
  '',
].join('\n\n')
