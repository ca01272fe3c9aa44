import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { RefusalData } from '../../base/errors.ts'
import { networkProfile } from '../../base/network.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import { HTML, preferred } from '../../doors/http/send-document.ts'
import { sentPath } from '../../doors/http/sent-url.ts'
import { problemText, problemTitle } from '../page/format-problem.ts'
import { html } from '../page/html.ts'
import { page, sendPage } from '../page/page.ts'

/** Addresses that programs call; errors there are never pages. */
const CALLED = /^\/(api|a2a|mcp|\.well-known|assets)\b/

/** Whether to show a refusal as a page: to browsers, except at addresses that programs call. */
export function wantsPage(request: FastifyRequest): boolean {
  const { url = sentPath(request) } = request.routeOptions
  return !CALLED.test(url) && preferred(request, ['application/problem+json', HTML]) === HTML
}

/** Sends a refusal as a page that says what to do and where to go next. */
export function sendRefusalPage(reply: FastifyReply, refusal: RefusalData, publicUrl: string) {
  const { code } = refusal
  const { status } = errorCatalogue[code]
  const title = problemTitle(refusal)
  const body = html`
<h1>${title}</h1>
<p>${problemText(refusal)}</p>
<p><a href="/venues">Find a venue</a> · <a href="/docs">Read the documentation</a> ·
<a href="/">Go to the home page</a></p>
<p class="quiet">Code <a href="/errors#${code}"><code>${code}</code></a>, HTTP ${status}.</p>`
  const address = publicUrl + sentPath(reply.request)
  setRefusal(reply, refusal).header('vary', 'accept')
  return sendPage(
    reply,
    page(`${title} · ${networkProfile.name}`, body, { request: reply.request, address }),
  )
}
