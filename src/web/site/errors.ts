import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, type ErrorSpec, errorCatalogue } from '../../base/error-catalogue.ts'
import { broughtAbout } from '../../base/sandbox.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { DOCUMENT_SECONDS, serveTwins } from '../../doors/http/send-document.ts'
import { docsPage } from '../docs/docs-page.ts'
import { withCode } from '../docs/with-code.ts'
import { html } from '../page/html.ts'

const entries: [string, ErrorSpec][] = Object.entries(errorCatalogue)

/** `/errors`: one anchor per code, the target of `type` in problems and of `docs` in envelopes. */
export async function errorsPage(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  scope.addHook('onRequest', async (_, reply) => {
    reply.header('content-security-policy', dashboardPolicy)
  })
  const about = { canonical: `${publicUrl}/errors`, markdown: '/errors.md' }
  serveTwins(scope, '/errors', DOCUMENT_SECONDS, async ({ request }) => ({
    html: () => docsPage('/errors', 'Errors', view, { about: { ...about, request } }),
    markdown: () => errorsMarkdown,
  }))
}

const inSandbox = (code: string): string => {
  const how = broughtAbout[code as ErrorCode]
  return how === undefined ? '' : ` In the [sandbox](/docs/sandbox): ${how}.`
}

const sandboxNote = (code: string) => {
  const how = broughtAbout[code as ErrorCode]
  return how && html` <a href="/docs/sandbox">In the sandbox</a>: ${withCode(how)}.`
}

const labelOf = ({ status, retryable }: ErrorSpec) => `${status}${retryable ? ' · retryable' : ''}`

const statusAnchor = (status: number) => `status-${status}`

const preface =
  'Codes are the same for REST (problem details, RFC 9457), A2A (`error` in the envelope) and ' +
  'MCP (a result with `isError`). Retry a retryable request unchanged.'

const statuses = [...Map.groupBy(entries, ([, { status }]) => status)].toSorted(
  ([one], [other]) => one - other,
)

const view = html`
<h1>Errors</h1>
<p>${withCode(preface)}</p>
<ul class="jump">${statuses.map(
  ([
    status,
    codes,
  ]) => html`<li><a href="#${statusAnchor(status)}">${status} ${STATUS_CODES[status]}</a>
<span class="quiet">${codes.length}</span></li>`,
)}</ul>
${statuses.map(
  ([status, codes]) => html`
<h2 id="${statusAnchor(status)}">${status} ${STATUS_CODES[status]}</h2>
<dl class="errors">${codes.map(
    ([code, { title, advice, retryable }]) => html`
<dt id="${code}"><a href="#${code}"><code>${code}</code></a>${
      retryable && html` <span class="tag">retryable</span>`
    }</dt>
<dd><strong>${title}.</strong> ${withCode(advice)}${sandboxNote(code)}</dd>`,
  )}</dl>`,
)}`

/** The catalogue in Markdown, with how to cause each error in the sandbox. */
export const errorsMarkdown = [
  '# Errors',
  preface,
  ...entries.map(
    ([code, spec]) =>
      `## ${code}\n\n${labelOf(spec)}. **${spec.title}.** ${spec.advice}${inSandbox(code)}`,
  ),
  '',
].join('\n\n')
