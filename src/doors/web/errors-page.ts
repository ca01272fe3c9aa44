import type { FastifyInstance } from 'fastify'
import { errorCatalogue } from '../../model/error-catalogue.ts'
import type { ErrorSpec } from '../../model/error-spec.ts'
import { networkProfile } from '../../model/network.ts'
import { html } from './html.ts'
import { page } from './page.ts'

/** `/errors`: one anchor per code, where `type` of a problem and `docs` of an envelope lead. */
export async function errorsPage(scope: FastifyInstance) {
  const document = page(`Errors · ${networkProfile.name}`, view)
  scope.get('/errors', async (_, reply) => reply.type('text/html; charset=utf-8').send(document))
}

const entry = ([code, { status, title, advice, retryable }]: [string, ErrorSpec]) => html`
<li id="${code}"><span class="tag">${status}${retryable ? ' · retryable' : ''}</span><a href="#${code}"><code>${code}</code></a>
<p><strong>${title}.</strong> ${advice}</p></li>`

const view = html`
<h1>Errors</h1>
<p>The same codes at every door: REST sends them as problem details (RFC 9457), A2A as <code>error</code> in the envelope, MCP as a result with <code>isError</code>. Retryable ones may succeed when the same request is repeated.</p>
<ul class="list">${Object.entries(errorCatalogue).map(entry)}</ul>`
