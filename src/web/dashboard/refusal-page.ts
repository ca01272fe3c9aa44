import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type OwnedKind, selectAccountsWith } from '../../accounts/store/account-matches.ts'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { RefusalData } from '../../base/errors.ts'
import { loggedRefusal, setRefusal } from '../../doors/calls/refusals.ts'
import { sentUrl } from '../../doors/http/sent-url.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { alert } from '../page/components.ts'
import { problemText, problemTitle } from '../page/format-problem.ts'
import { paramsOf } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { page, sendPage } from '../page/page.ts'
import { inMode, type Mode } from './mode-address.ts'
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

const kinds: Readonly<Record<string, OwnedKind>> = {
  bookings: 'booking',
  events: 'event',
  deliveries: 'delivery',
  webhooks: 'endpoint',
  replays: 'replay',
  invoices: 'invoice',
  requests: 'request',
}

type Elsewhere = { title: string; body: Html }

/** The account's other mode, if any, that contains the requested item. */
async function elsewhere(request: FastifyRequest, db: Db): Promise<Elsewhere | undefined> {
  const [, section = ''] =
    /^\/dashboard\/(\w+)\/:(?:id|number)\b/.exec(request.routeOptions.url ?? '') ?? []
  const kind = kinds[section]
  const { developer, keyHolder } = request
  if (!kind || !developer) return undefined
  const { id, number } = paramsOf(request)
  const ref = id ?? number
  const isRef = kind === 'event' ? /^\d{1,15}$/ : /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  if (!isRef.test(ref)) return undefined
  const all = await selectAccountsWith(db, developer.account_id, { kind, ref })
  const [match] = all.filter((one) => one.id !== keyHolder?.id)
  if (!match) return undefined
  const { clock } = match
  const [mode, where, label]: [Mode, string, string] =
    clock !== null
      ? [{ clock: match.id }, `of the test clock ${clock}`, clock]
      : match.is_test
        ? ['test', 'in test mode', 'Test']
        : ['live', 'live', 'Live']
  const path = inMode(mode, `/dashboard/${section}/${encodeURIComponent(ref)}`)
  const title = `This ${kind} is ${where}`
  const body = html`<p>${title}. <a data-mode href="${path}">Open it in ${label}</a></p>`
  return { title, body }
}
