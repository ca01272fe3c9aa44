import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { RefusalData } from '../../base/errors.ts'
import { loggedRefusal, setRefusal } from '../../doors/calls/refusals.ts'
import { sentUrl } from '../../doors/http/sent-url.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { alert } from '../page/components.ts'
import { problemText, problemTitle } from '../page/format-problem.ts'
import { type Html, html } from '../page/html.ts'
import { page, sendPage } from '../page/page.ts'
import { elsewhere } from './elsewhere.ts'
import { showPage } from './page.ts'

/** Shows refusals in this scope as pages, with their HTTP status. */
export function showRefusals(scope: FastifyInstance, db: Db, log: Log): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    const title = problemTitle(refusal)
    setRefusal(reply, refusal)
    const other = reply.statusCode === 404 && (await elsewhere(request, db))
    if (other) return showPage(reply, other.title, other.body)
    const body = refusalBody(request, refusal)
    return request.developer
      ? showPage(reply, title, body)
      : sendPage(reply, page(title, html`<h1>${title}</h1>${body}`))
  })
}

function refusalBody(request: FastifyRequest, refusal: RefusalData): Html {
  const { code } = refusal
  const isGet = request.method === 'GET'
  const canRepeat = isGet && errorCatalogue[code].retryable
  return html`
${alert(problemText(refusal) || undefined)}
<p><a href="${(!isGet && ownReferrer(request)) || '/dashboard'}">Back</a>
${canRepeat && html`· <a href="${sentUrl(request)}">Try again</a>`}
· <a href="/errors#${code}">More about <code>${code}</code></a></p>
<p class="quiet">Request <code>${request.id}</code></p>`
}

/** The page from which the form was sent, as a path on this server. */
function ownReferrer({ headers }: FastifyRequest): string | undefined {
  const { referer, host } = headers
  if (!referer || !URL.canParse(referer)) return undefined
  const from = new URL(referer)
  return from.host === host ? from.pathname + from.search : undefined
}
