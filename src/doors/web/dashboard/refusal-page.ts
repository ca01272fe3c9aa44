import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../../contract/rules/errors.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { loggedRefusal, setRefusal } from '../../refusals.ts'
import { type Html, html } from '../html.ts'
import { page, sendPage } from '../page.ts'
import { problemWords } from '../problem-words.ts'
import { dashboardPage, type Section } from './layout.ts'

/** Refusals of the scope's routes become pages with their status, which say what to do and lead back. */
export function showRefusals(scope: FastifyInstance, log: Log): void {
  scope.setErrorHandler((error, request, reply) => {
    return sendRefusal(request, reply, loggedRefusal(error, request, log))
  })
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: RefusalData) {
  const { title } = errorCatalogue[refusal.code]
  setRefusal(reply, refusal)
  const body = refusalBody(request, refusal)
  return sendPage(
    reply,
    request.developer
      ? dashboardPage(request, { title, section: sectionOf(request), body })
      : page(title, html`<h1>${title}</h1>${body}`),
  )
}

function refusalBody(request: FastifyRequest, refusal: RefusalData): Html {
  const { code } = refusal
  // What passes by itself is asked for again as it was, a list that was asked for wrongly without its question.
  const again = errorCatalogue[code].retryable ? request.url : request.url.split('?', 1)[0]
  const back = request.method === 'GET' ? '/dashboard' : (ownReferrer(request) ?? '/dashboard')
  return html`
<p role="alert">${problemWords(refusal)}</p>
<p><a href="${back}">Back</a>${request.method === 'GET' ? html` · <a href="${again ?? ''}">Try again</a>` : ''} · <a href="/errors#${code}">More about <code>${code}</code></a></p>
<p class="quiet">Request <code>${request.id}</code></p>`
}

/** The page that sent the form, as a path of this server. */
function ownReferrer({ headers }: FastifyRequest): string | undefined {
  const { referer, host } = headers
  if (!referer || !URL.canParse(referer)) return undefined
  const from = new URL(referer)
  return from.host === host ? from.pathname + from.search : undefined
}

const sections = /^\/dashboard\/(\w+)/

/** The section that a path belongs to, as far as its first word says. */
const sectionOf = ({ url }: FastifyRequest): Section =>
  (sections.exec(url)?.[1] ?? 'quickstart') as Section
