import type { FastifyInstance } from 'fastify'
import { loggedRefusal, sendProblem } from '../../doors/calls/refusals.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { requireGranted } from '../../doors/guards/allowance.ts'
import { hasSessionCookie } from '../../doors/guards/session.ts'
import { docsPages } from '../docs/docs-pages.ts'
import { openApiFile, referencePages } from '../docs/reference-pages.ts'
import { createCallOpen } from './call-open.ts'
import { llmsText, wellKnown } from './discovery.ts'
import { errorsPage } from './errors.ts'
import { home } from './home.ts'
import { sendRefusalPage, wantsPage } from './refusal-page.ts'
import { searchPage } from './search.ts'
import { sitePages } from './site-pages.ts'
import { sitemap } from './sitemap.ts'
import { statusPage } from './status.ts'
import { venuePage } from './venue.ts'

const pages = [home, sitePages, errorsPage, docsPages, referencePages, wellKnown, llmsText]

/** Pages and files for readers without a key, people and programs: docs/guides/public-pages.md. */
export async function publicDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { guards, run, publicUrl, log } = deps
  scope.setErrorHandler((error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    return wantsPage(request)
      ? sendRefusalPage(reply, refusal, publicUrl)
      : sendProblem(reply.header('vary', 'accept'), publicUrl, refusal)
  })
  // The page header shows whether the reader is signed in.
  scope.addHook('onSend', async (request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return
    const vary = reply.getHeader('vary')
    reply.header('vary', vary ? `${vary}, cookie` : 'cookie')
    const isShared = String(reply.getHeader('cache-control')).startsWith('public')
    if (isShared && hasSessionCookie(request)) reply.header('cache-control', 'private, no-cache')
  })
  await scope.register(async (limited) => {
    limited.addHook('onRequest', async (request) => {
      requireGranted(await guards.limitPages(request))
    })
    // The status page answers under load too, because that is when it is needed.
    await limited.register(statusPage, deps)
    await limited.register(async (admitted) => {
      admitted.addHook('onRequest', async () => guards.admit())
      for (const page of pages) await admitted.register(page, deps)
    })
  })
  await scope.register(openApiFile, deps)
  const call = createCallOpen(run)
  await scope.register(searchPage, { ...deps, call })
  await scope.register(venuePage, { ...deps, call })
  await scope.register(sitemap, deps)
}
