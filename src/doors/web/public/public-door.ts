import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../contract/operation.ts'
import type { Db } from '../../../platform/database/sql.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { loggable } from '../../../platform/telemetry/loggable.ts'
import { exceeded } from '../../guards/allowance.ts'
import type { Guards } from '../../guards/guards.ts'
import { levelOf, refusalFrom } from '../../refusal-from.ts'
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

export type PublicDoor = {
  services: Services
  guards: Guards
  run: RunOperation
  /** a connection for checks alone */
  probe: Db
  publicUrl: string
  log: Log
}

/** What everybody can read without a key, people and programs: docs/guides/public-pages.md. */
export async function publicDoor(scope: FastifyInstance, deps: PublicDoor) {
  const { services, guards, run, probe, publicUrl, log } = deps
  scope.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error)
    const line = { request_id: request.id, code: refusal.code, error: loggable(error) }
    if (levelOf(refusal.code) !== 'info') log[levelOf(refusal.code)](line, 'request failed')
    return wantsPage(request)
      ? sendRefusalPage(reply, refusal)
      : sendProblem(request, reply.header('vary', 'accept'), publicUrl, refusal)
  })
  await scope.register(async (limited) => {
    limited.addHook('onRequest', async (request) => {
      const allowance = await guards.limitPages(request)
      if (!allowance.granted) throw exceeded(allowance)
    })
    // It answers under pressure too: that is when it is asked.
    await limited.register(statusPage, { services, probe, publicUrl })
    await limited.register(async (admitted) => {
      admitted.addHook('onRequest', async () => guards.admit())
      await admitted.register(home, { services, publicUrl })
      await admitted.register(errorsPage, { publicUrl })
      await admitted.register(docsPages, { publicUrl })
      await admitted.register(wellKnown, { publicUrl })
      await admitted.register(llmsText, { publicUrl })
    })
  })
  await scope.register(searchPage, { services, call: createCallOpen(run), publicUrl })
  await scope.register(venuePage, { services, call: createCallOpen(run), publicUrl })
  await scope.register(sitemap, { services, guards, publicUrl })
}
