import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../../contract/rules/errors.ts'
import { networkProfile } from '../../../contract/rules/network.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import { html } from '../html.ts'
import { page } from '../page.ts'
import { problemWords } from '../problem-words.ts'
import { preferred } from './negotiate.ts'
import { HTML } from './send-document.ts'

const PROBLEM = 'application/problem+json'
/** What programs call: their errors are never pages. */
const CALLED = /^\/(api|a2a|mcp|\.well-known|assets)\b/

/** Whether a refusal is better shown as a page: to a browser, at an address that is not called by programs. */
export const wantsPage = (request: FastifyRequest): boolean =>
  !CALLED.test(request.url) && preferred(request, [PROBLEM, HTML]) === HTML

/** A refusal as a page that says what to do and leads on. */
export function sendRefusalPage(reply: FastifyReply, refusal: RefusalData): FastifyReply {
  const { code } = refusal
  const { status, title } = errorCatalogue[code]
  const body = html`
<h1>${title}</h1>
<p>${problemWords(refusal)}</p>
<p><a href="/venues">Find a venue</a> · <a href="/docs">Read the documentation</a> · <a href="/">Go to the home page</a></p>
<p class="quiet">Code <a href="/errors#${code}"><code>${code}</code></a>, HTTP ${status}.</p>`
  return reply
    .code(status)
    .headers(refusalHeaders(refusal))
    .header('vary', 'accept')
    .header('cache-control', 'no-store')
    .type(`${HTML}; charset=utf-8`)
    .send(page(`${title} · ${networkProfile.name}`, body))
}
