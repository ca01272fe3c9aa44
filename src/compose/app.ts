import { randomUUIDv7 } from 'node:crypto'
import helmet from '@fastify/helmet'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { createCallRecorder } from '../accounts/steps/call-recorder.ts'
import { refusalData, refuse } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import { a2aDoor } from '../doors/a2a/a2a-door.ts'
import { unknownAddress } from '../doors/calls/nearest-routes.ts'
import { instanceOf, loggedRefusal, refusalFrom, sendProblem } from '../doors/calls/refusals.ts'
import { createRunOperation, type DoorDeps } from '../doors/calls/run-operation.ts'
import { cardDoor } from '../doors/card/card-door.ts'
import { allowOrigins } from '../doors/guards/cors.ts'
import { createGuards } from '../doors/guards/guards.ts'
import { health } from '../doors/guards/health.ts'
import { createIsAllowedOrigin } from '../doors/guards/origin.ts'
import { warnOfUntrustedProxy } from '../doors/guards/untrusted-proxy.ts'
import {
  type ConnectionTimeouts,
  closeUnread,
  dropGone,
  patience,
  serverOptions,
} from '../doors/http/connections.ts'
import { pagePolicy } from '../doors/http/content-policy.ts'
import { createParserRefusals } from '../doors/http/parser-refusals.ts'
import { noteMethods, refuseOtherMethods } from '../doors/http/refuse-other-methods.ts'
import { withoutSlash } from '../doors/http/sent-url.ts'
import { sseDoor } from '../doors/mcp/sse-door.ts'
import { streamableDoor } from '../doors/mcp/streamable-door.ts'
import { createOAuth } from '../doors/oauth/interactions.ts'
import { oauthDoor } from '../doors/oauth/oauth-door.ts'
import { stripeDoor } from '../doors/payments/stripe-door.ts'
import { restDoor } from '../doors/rest/rest-door.ts'
import { venueDoor } from '../doors/venue/venue-door.ts'
import { whatsAppDoor } from '../doors/whatsapp/whatsapp-door.ts'
import type { NetworkServices } from '../network.ts'
import { checkDatabase, type Db } from '../platform/database/sql.ts'
import { createOutbound, type Outbound } from '../platform/http/client.ts'
import { subscriberPolicy } from '../platform/http/target.ts'
import type { Sealer } from '../platform/sealing/sealing.ts'
import { createInstruments, type Instruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { accountDoor } from '../web/account/account-door.ts'
import { consentDoor } from '../web/consent/consent-door.ts'
import { dashboardDoor } from '../web/dashboard/dashboard-door.ts'
import { routedAddress } from '../web/dashboard/mode-address.ts'
import { guestPages } from '../web/guest/guest-pages.ts'
import { assets } from '../web/page/assets.ts'
import { localPaymentPages } from '../web/pay/local-pages.ts'
import { publicDoor } from '../web/site/public-door.ts'
import { sendRefusalPage, wantsPage } from '../web/site/refusal-page.ts'
import { noticePages } from '../web/venue/notice-pages.ts'
import { venuePages } from '../web/venue/venue-pages.ts'

const BODY_LIMIT_BYTES = 64 * 1024
/** A connection gets one 429 a second at most, so a flood of calls needs many connections. */
const REFUSAL_DELAY_MS = 1_000
/** Refusals that people meet before any page has been opened. */
const pageCodes: readonly string[] = ['method_not_allowed', 'authorization_refused']
const NO_PAGE = 'There is no page at this address.'

export type AppDeps = {
  config: Config
  services: NetworkServices
  /** opens the secrets with which venues sign */
  sealer: Sealer
  /** reads the metadata documents of OAuth clients */
  outbound?: Outbound
  log: Log
  instruments?: Instruments
  /** aborted when this process begins to stop */
  stopping?: AbortSignal
  /** for the status page, so that the page and calls do not delay each other */
  statusDb?: Db
  /** how long a 429 is delayed */
  refusalDelayMs?: number | undefined
  waits?: ConnectionTimeouts
}

/** The doors behind their guards. `close` lets running calls finish and then ends event streams. */
export async function buildApp({
  config,
  services,
  sealer,
  outbound = createOutbound(subscriberPolicy(config)),
  log,
  instruments = createInstruments(),
  refusalDelayMs = REFUSAL_DELAY_MS,
  waits = patience,
  stopping = new AbortController().signal,
  statusDb = services.db,
}: AppDeps): Promise<FastifyInstance> {
  const { db, engine, settings } = services
  const { metrics, tracing } = instruments
  const { publicUrl } = settings

  const onError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = loggedRefusal(error, request, log)
    const isPage = pageCodes.includes(refusal.code) && wantsPage(request)
    return isPage
      ? sendRefusalPage(reply, refusal, publicUrl)
      : sendProblem(reply, publicUrl, refusal)
  }

  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // the token of a link is longer than a name
    routerOptions: { maxParamLength: 255 },
    rewriteUrl: (raw) => withoutSlash(routedAddress(raw)),
    ...serverOptions(waits),
    // in chronological order, which the request log uses to find them
    genReqId: () => randomUUIDv7(),
    requestIdHeader: false,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    frameworkErrors: onError,
    return503OnClosing: false,
    clientErrorHandler: createParserRefusals(publicUrl, log, metrics),
  })
  closeUnread(app.server, waits)
  dropGone(app.server, () => {
    metrics.parserRefusals.inc({ code: 'client_gone' })
    log.info({ code: 'client_gone' }, 'not a request')
  })
  app.setErrorHandler(onError)
  // Comes before `noteMethods`, because it routes OPTIONS for every address.
  await allowOrigins(app, createIsAllowedOrigin(publicUrl, config))
  const methods = noteMethods(app)

  await app.register(helmet, { contentSecurityPolicy: false })
  // These hooks run for every request and therefore avoid promises.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('content-security-policy', pagePolicy)
    // RFC 9112, 3.2: a proxy in front may have used the other Host header.
    const hasTwoHosts = (request.raw.headersDistinct?.host?.length ?? 0) > 1
    done(hasTwoHosts ? refuse('malformed_request') : undefined)
  })
  warnOfUntrustedProxy(app, log)
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close')
    if (reply.statusCode === 429) setTimeout(done, refusalDelayMs * (0.5 + Math.random()))
    else done()
  })

  const guards = await createGuards(app, { config, publicUrl, db, sealer, metrics })
  const calls = createCallRecorder(db, { metrics, log })
  app.addHook('onClose', calls.stop)
  const run = createRunOperation({ services, guards, metrics, log }, tracing, calls)

  const postgresql = () =>
    guards.lookUpNobody().catch((error: unknown) => {
      // A busy pool does not mean that the database is unreachable.
      if (refusalFrom(error).code !== 'overloaded') throw error
      return checkDatabase(statusDb)
    })
  const without =
    'Temporal does not answer: bookings and changes are stored and answered with 503; searches ' +
    'and reads work.'
  const temporal = { check: () => engine.check(), without }
  const parts = { postgresql: { check: postgresql }, temporal }
  health(app, parts, stopping, log)
  if (!config.METRICS_PORT && config.NODE_ENV !== 'production') {
    app.get('/metrics', async (_, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.text()),
    )
  }

  app.addHook('onClose', () => outbound.close())
  const { sendMail } = services
  const oauth = createOAuth({ db, sealer, publicUrl, sendMail, log, outbound, config })
  const about = { services, guards, metrics, log, config, statusDb, publicUrl }
  const deps: DoorDeps = { ...about, run, oauth }
  for (const door of [restDoor, a2aDoor, sseDoor, streamableDoor]) await app.register(door, deps)
  for (const door of [venueDoor, stripeDoor, whatsAppDoor]) await app.register(door, deps)
  await app.register(async (open) => {
    guards.meterResponses(open)
    open.setNotFoundHandler((request, reply) => {
      if (wantsPage(request)) {
        return sendRefusalPage(reply, refusalData('not_found', NO_PAGE), publicUrl)
      }
      throw unknownAddress(request.method, instanceOf(request))
    })
    for (const door of [
      oauthDoor,
      noticePages,
      venuePages,
      guestPages,
      cardDoor,
      publicDoor,
      assets,
    ]) {
      await open.register(door, deps)
    }
    for (const door of [localPaymentPages, accountDoor, consentDoor, dashboardDoor])
      await open.register(door, deps)
    refuseOtherMethods(open, methods)
  })
  return app
}
