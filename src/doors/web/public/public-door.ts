import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../contract/operation.ts'
import type { Db } from '../../../platform/database/sql.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { requireGranted } from '../../guards/allowance.ts'
import type { Guards } from '../../guards/guards.ts'
import { loggedRefusal } from '../../refusals.ts'
import { sendProblem } from '../../rest/problem.ts'
import type { RunOperation } from '../../run-operation.ts'
import { createCallOpen } from './call-open.ts'
import { docsPages } from './docs.ts'
import { errorsPage } from './errors.ts'
import { home } from './home.ts'
import { llmsText } from './llms-text.ts'
import { sendRefusalPage, wantsPage } from './refusal-page.ts'
import { searchPage } from './search.ts'
import { sitemap } from './sitemap.ts'
import { statusPage } from './status.ts'
import { venuePage } from './venue.ts'
import { wellKnown } from './well-known.ts'

type PublicDoor = {
  services: Services
  guards: Guards
  run: RunOperation
  /** a connection for health checks only */
  probe: Db
  publicUrl: string
  log: Log
}

/** What people and programs can read without a key: docs/guides/public-pages.md. */
export async function publicDoor(scope: FastifyInstance, deps: PublicDoor) {
  const { services, guards, run, publicUrl, log } = deps
  scope.setErrorHandler((error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    return wantsPage(request)
      ? sendRefusalPage(reply, refusal)
      : sendProblem(reply.header('vary', 'accept'), publicUrl, refusal)
  })
  await scope.register(async (limited) => {
    limited.addHook('onRequest', async (request) => {
      requireGranted(await guards.limitPages(request))
    })
    // The status page answers under pressure too: that is when it is needed.
    await limited.register(statusPage, deps)
    await limited.register(async (admitted) => {
      admitted.addHook('onRequest', async () => guards.admit())
      for (const page of [home, errorsPage, docsPages, wellKnown, llmsText]) {
        await admitted.register(page, { services, publicUrl })
      }
    })
  })
  const call = createCallOpen(run)
  await scope.register(searchPage, { services, call, publicUrl })
  await scope.register(venuePage, { services, call, publicUrl })
  await scope.register(sitemap, { services, guards, publicUrl })
}
