import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Services } from '../../../contract/define.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { dashboardPolicy } from '../../content-policy.ts'
import { exceeded } from '../../guards/allowance.ts'
import type { Guards } from '../../guards/guards.ts'
import { noteMethods } from '../../refuse-other-methods.ts'
import type { RunOperation } from '../../run-operation.ts'
import { accountPage } from './account.ts'
import { agent } from './agent.ts'
import { agents } from './agents.ts'
import { apiPages } from './api-pages.ts'
import { type CallOperation, createCall } from './call.ts'
import { firstCall } from './first-call.ts'
import { takeForms } from './forms.ts'
import { leadBack } from './lead-back.ts'
import { quickstart } from './quickstart.ts'
import { showRefusals } from './refusal-page.ts'
import { trafficPages } from './traffic-pages.ts'

/** What every page may use. */
export type DashboardDeps = {
  services: Services
  guards: Guards
  call: CallOperation
  log: Log
  config: Config
}

export type DashboardDoor = Omit<DashboardDeps, 'call'> & { run: RunOperation }

const pages = [quickstart, firstCall, ...trafficPages, agents, agent, ...apiPages, accountPage]

/** The pages of developers: nobody sees them without a session. */
export async function dashboardDoor(scope: FastifyInstance, { run, ...deps }: DashboardDoor) {
  guardPages(scope, deps)
  scope.addHook('onRequest', async (request, reply) => {
    if (!request.developer) return reply.redirect(signInPath(request), 303)
  })
  const methods = noteMethods(scope)
  for (const page of pages) await scope.register(page, { ...deps, call: createCall(run) })
  leadBack(scope, methods)
  scope.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
    if (request.params['*'] === '') return reply.redirect('/dashboard', 303)
    throw refuse('page_not_found')
  })
}

/** Forms from our own pages only, sessions, limits, and refusals as pages, for every route of the scope. */
export function guardPages(scope: FastifyInstance, { guards, log }: { guards: Guards; log: Log }) {
  takeForms(scope)
  showRefusals(scope, log)
  scope.addHook('onRequest', async (request, reply) => {
    // `no-referrer` would make browsers send `Origin: null` with a form.
    reply
      .header('content-security-policy', dashboardPolicy)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
    guards.admit()
    await guards.requireSameOrigin(request)
    await guards.openSession(request)
    const allowance = await guards.limitPages(request)
    if (!allowance.granted) throw exceeded(allowance)
  })
}

const signInPath = ({ method, url }: FastifyRequest): string =>
  method === 'GET' ? `/sign-in?next=${encodeURIComponent(url)}` : '/sign-in?done=ended'
