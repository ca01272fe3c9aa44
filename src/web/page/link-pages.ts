import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loggedRefusal, setRefusal } from '../../doors/calls/refusals.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { requireGranted } from '../../doors/guards/allowance.ts'
import { sentPath } from '../../doors/http/sent-url.ts'
import { linkButton } from './components.ts'
import { problemText, problemTitle } from './format-problem.ts'
import { acceptForms, withQuery } from './forms.ts'
import { type Html, html } from './html.ts'

type Show = (reply: FastifyReply, title: string, body: Html) => unknown

/**
 * Prepares pages open to anyone with their link: never cached, limited by address, and accepting
 * forms only from our own pages. `show` renders a refusal.
 */
export function acceptLinks(scope: FastifyInstance, { guards, log }: DoorDeps, show: Show): void {
  acceptForms(scope)
  scope.addHook('onRequest', async (request, reply) => {
    // `no-referrer` would make browsers submit forms with `Origin: null`.
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
    guards.admit()
    requireGranted(await guards.limitAddress(request))
    if (request.method === 'POST') await guards.checkOrigin(request)
  })
  scope.setErrorHandler((error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    const who = refusal.code === 'person_required' && signInAt(request)
    if (who && request.method === 'GET') return reply.redirect(who, 303)
    const title = problemTitle(refusal)
    const body = html`
<h1>${title}</h1><p>${problemText(refusal)}</p>${who && linkButton(who, 'Who are you?')}`
    return show(setRefusal(reply, refusal), title, body)
  })
}

/** Where people of a venue say who they are, and then get to the page that they asked for. */
function signInAt(request: FastifyRequest): string {
  const base = `/venue/${(request.params as { token: string }).token}`
  return withQuery(`${base}/who`, { next: sentPath(request).slice(base.length) })
}
