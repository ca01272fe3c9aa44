import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RefusalData } from '../../base/errors.ts'
import { loggedRefusal, setRefusal } from '../../doors/calls/refusals.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { requireGranted } from '../../doors/guards/allowance.ts'
import { problemText, problemTitle } from './format-problem.ts'
import { acceptForms } from './forms.ts'
import { type Html, html } from './html.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** mail programs unsubscribe here, from anywhere: their link is the right to it (RFC 8058) */
    isOneClick?: boolean
  }
}

type Show = (reply: FastifyReply, refusal: RefusalData) => unknown

/**
 * Prepares pages open to anyone with their link: never cached, limited by address, and accepting
 * forms only from our own pages. `show` renders a refusal.
 */
export function acceptLinks(scope: FastifyInstance, { guards, log }: DoorDeps, show: Show): void {
  acceptForms(scope)
  // RFC 8058, 3.2: mail programs should send this type. Nothing of it is needed.
  scope.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, async () => ({}))
  scope.addHook('onRequest', async (request, reply) => {
    // `no-referrer` would make browsers submit forms with `Origin: null`.
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
    guards.admit()
    requireGranted(await guards.limitLink(request))
    const { isOneClick } = request.routeOptions.config
    if (request.method === 'POST' && !isOneClick) await guards.checkOrigin(request)
  })
  scope.setErrorHandler((error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    return show(setRefusal(reply, refusal), refusal)
  })
}

/** A refusal as the title and the body of a page. */
export function refusalView(refusal: RefusalData): [title: string, body: Html] {
  const title = problemTitle(refusal)
  return [title, html`<h1>${title}</h1><p>${problemText(refusal)}</p>`]
}
