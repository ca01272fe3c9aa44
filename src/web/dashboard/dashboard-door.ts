import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lacksFactor } from '../../accounts/rules/second-factors.ts'
import { refuse } from '../../base/errors.ts'
import type { AccountPart } from '../../base/roles.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { requireGranted } from '../../doors/guards/allowance.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { noteMethods } from '../../doors/http/refuse-other-methods.ts'
import { routedPath, sentUrl } from '../../doors/http/sent-url.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { operators } from '../operators/operators.ts'
import { acceptForms } from '../page/forms.ts'
import { readTroubles } from './endpoint-trouble.ts'
import { requireShownAccount } from './form-account.ts'
import { chooseHolder } from './mode.ts'
import { redirectInMode } from './mode-address.ts'
import { createCall, type Page } from './page.ts'
import { account } from './pages/account.ts'
import { accounts } from './pages/accounts.ts'
import { agent, agents } from './pages/agents.ts'
import { audit } from './pages/audit.ts'
import { booking, bookings } from './pages/bookings.ts'
import { clock, clocks } from './pages/clocks.ts'
import { connections } from './pages/connections.ts'
import { deleteAccountPage } from './pages/delete-account.ts'
import { deliveries } from './pages/deliveries.ts'
import { delivery } from './pages/delivery.ts'
import { endpoint } from './pages/endpoint.ts'
import { endpointSecrets } from './pages/endpoint-secrets.ts'
import { endpoints } from './pages/endpoints.ts'
import { events } from './pages/events.ts'
import { exports } from './pages/exports.ts'
import { firstCall } from './pages/first-call.ts'
import { invoice } from './pages/invoice.ts'
import { invoices } from './pages/invoices.ts'
import { key, keys } from './pages/keys.ts'
import { members } from './pages/members.ts'
import { overview } from './pages/overview.ts'
import { payments } from './pages/payments.ts'
import { plan } from './pages/plan.ts'
import { quickstart } from './pages/quickstart.ts'
import { replays } from './pages/replays.ts'
import { request } from './pages/request.ts'
import { requests } from './pages/requests.ts'
import { search } from './pages/search.ts'
import { SECURITY, security } from './pages/security.ts'
import { usage } from './pages/usage.ts'
import { showRefusals } from './refusal-page.ts'
import { aboutPart, partOfForm, requireRole } from './roles.ts'
import { refuseSuspendedForm } from './suspended-notice.ts'
import { noteUnverified } from './unverified-notice.ts'

/** All pages, grouped by the part of the account that their routes concern. */
const pages: { readonly [part in AccountPart]?: readonly Page[] } = {
  start: [overview, quickstart],
  bookings: [search, bookings, booking, clocks, clock],
  agents: [agents, agent],
  webhooks: [endpoints, endpoint, endpointSecrets, deliveries, delivery, replays, events],
  keys: [keys, key],
  requests: [requests, request, firstCall],
  usage: [usage, invoices, invoice],
  plan: [plan, payments],
  members: [members],
  audit: [audit],
  deletion: [deleteAccountPage],
  self: [accounts, account, security, connections, exports, operators],
}

/** Pages do not use the daily quota, so changes made on them have limits of their own. */
const changes = (what: string, most: number) => ({ name: what, most, windowSeconds: 3_600 })
const byPerson = changes('dashboard changes by person', 300)
/** Per session, so that neither other members nor a stolen session can exhaust it. */
const protective = changes('protective changes by session', 300)
const isProtective = (part?: AccountPart) => /^(?:self|members|keys|deletion)$/.test(part ?? '')

/** The pages of signed-in developers. */
export async function dashboardDoor(scope: FastifyInstance, deps: DoorDeps) {
  const enter = async (request: FastifyRequest) => {
    requireRole(request)
    await chooseHolder(request, deps.services.db, new Date())
  }
  guardPages(scope, deps)
  scope.addHook('onSend', (request, reply, _payload, done) => {
    const to = reply.getHeader('location')
    if (typeof to === 'string') reply.header('location', redirectInMode(request, to))
    done()
  })
  scope.addHook('onRequest', async (request, reply) => {
    if (!request.developer) return reply.redirect(signInPath(request), 303)
    const { url = '' } = request.routeOptions
    if (lacksFactor(request.developer) && !withoutFactor.test(url)) {
      return reply.redirect(`${SECURITY}?done=demanded`, 303)
    }
    if (url === '/dashboard' && request.developer.role === 'billing') {
      return reply.redirect('/dashboard/usage', 303)
    }
    if (request.method !== 'POST') await enter(request)
  })
  scope.addHook('preHandler', async (request) => {
    if (request.method !== 'POST' || !request.developer) return
    requireShownAccount(request)
    await enter(request)
    refuseSuspendedForm(request)
    const { db } = deps.services
    const isOwn = isProtective(request.routeOptions.config.part)
    const { id, session_id: session } = request.developer
    if (isOwn) await throttle(db, protective, session, new Date())
    else await throttle(db, byPerson, id, new Date())
  })
  readTroubles(scope, deps.services)
  noteUnverified(scope, deps.services)
  const methods = noteMethods(scope)
  const pageDeps = { ...deps, call: createCall(deps.run) }
  for (const part of Object.keys(pages) as AccountPart[]) {
    await scope.register(async (section) => {
      aboutPart(section, part)
      for (const page of pages[part] ?? []) await section.register(page, pageDeps)
    })
  }
  aboutPart(scope, 'self')
  redirectFormGetToPage(scope, methods)
  scope.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
    if (request.params['*'] === '') return reply.redirect('/dashboard', 303)
    throw refuse('page_not_found')
  })
}

/** Adds same-origin forms, sessions, limits, headers and refusal pages to the scope's routes. */
export function guardPages(scope: FastifyInstance, { services, guards, log }: DoorDeps) {
  acceptForms(scope)
  showRefusals(scope, services.db, log)
  scope.addHook('onRequest', async (request, reply) => {
    // With `no-referrer`, browsers submit forms with `Origin: null`.
    reply
      .header('content-security-policy', dashboardPolicy)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
    guards.admit()
    await guards.requireSameOrigin(request)
    await guards.openSession(request)
    requireGranted(await guards.limitPages(request))
  })
}

/** The routes that a member can use before having the second factor that their account demands. */
const withoutFactor = /^\/dashboard\/(?:security|accounts|members\/leave)(?:\/|$)/

const signInPath = (request: FastifyRequest): string =>
  request.method === 'GET'
    ? `/sign-in?next=${encodeURIComponent(sentUrl(request))}`
    : '/sign-in?done=ended'

/**
 * Redirects a GET of a form's address to the nearest page above it: after a form has been answered
 * in place, a browser may request the form's address. `methods` are those of the scope's routes.
 */
function redirectFormGetToPage(scope: FastifyInstance, methods: ReadonlyMap<string, Set<string>>) {
  for (const [route, verbs] of [...methods]) {
    if (verbs.has('GET')) continue
    const segments = route.split('/')
    const isPage = (count: number) => methods.get(segments.slice(0, count).join('/'))?.has('GET')
    let count = segments.length - 1
    while (count > 2 && !isPage(count)) count -= 1
    scope.get(route, { config: partOfForm(route) }, async (request, reply) =>
      reply.redirect(routedPath(request).split('/').slice(0, count).join('/'), 303),
    )
  }
}
