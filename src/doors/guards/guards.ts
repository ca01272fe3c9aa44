import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hashKey } from '../../accounts/store/key-secret.ts'
import type { Config } from '../../config/config.ts'
import { venueLinkId } from '../../confirmation/rules/venue-link.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { createMeter } from './account-meter.ts'
import { addressOf, createCallerLimits } from './allowance.ts'
import {
  acceptHolder,
  createFindHolder,
  createIdentify,
  createRecentHolders,
  holderOfKey,
  recentHolderOf,
} from './authentication.ts'
import { createEnter } from './entry.ts'
import { countFailedAuthentications } from './failed-authentications.ts'
import { meterResponses } from './open-responses.ts'
import { createIsAllowedOrigin, createOriginCheck, createRequireSameOrigin } from './origin.ts'
import { createAdmit } from './pressure.ts'
import { createQuota } from './quota.ts'
import { createCheckSender } from './sender.ts'
import { createSessions } from './session.ts'
import { createVenueLinks, createVerifyVenue } from './venue.ts'

/** The checks between the doors and the operations. */
export type Guards = Awaited<ReturnType<typeof createGuards>>

const PAGES_PER_MINUTE = 600

/** Creates the guards with the configured limits, and declares their request fields on `app`. */
export async function createGuards(
  app: FastifyInstance,
  deps: { config: Config; publicUrl: string; db: Db; sealer: Sealer; metrics: Metrics },
) {
  const { config, publicUrl, db, sealer, metrics } = deps
  app.decorateRequest('keyHolder', undefined)
  app.decorateRequest('developer', null)
  app.decorateRequest('unproved', null)
  const limitOf = await createCallerLimits(app)
  const perDay = {
    free: config.FREE_REQUESTS_PER_DAY,
    pro: config.PRO_REQUESTS_PER_DAY,
    test: config.TEST_REQUESTS_PER_DAY,
  }
  const findHolder = createFindHolder(db)
  const pace = { perSecond: config.REQUESTS_PER_SECOND, inFlight: config.REQUESTS_IN_FLIGHT }
  const bookingPace = {
    perSecond: config.BOOKINGS_PER_SECOND,
    inFlight: config.BOOKINGS_IN_FLIGHT,
    what: 'bookings and changes',
  }
  const recent = createRecentHolders()
  const identify = createIdentify(db, recent, findHolder)
  const enter = createEnter(db, perDay, { identify, recent })
  const limitAddress = limitOf(config.OPEN_REQUESTS_PER_MINUTE)
  const keyOfLink = (request: FastifyRequest) => {
    const { token } = request.params as { token?: string }
    return token && venueLinkId(sealer, token) && `${token} ${addressOf(request)}`
  }
  const limitBoard = limitOf(PAGES_PER_MINUTE, (request) => keyOfLink(request) ?? '')
  const failures = countFailedAuthentications(limitAddress)
  const recentHolder = (request: FastifyRequest) => recentHolderOf(recent, request)
  const isKnown = (request: FastifyRequest) =>
    request.headers.authorization === undefined || recentHolder(request) !== undefined
  const meter = createMeter('account', pace)
  const meterAddress = createMeter('address', pace)
  const identifyWatched = (request: FastifyRequest) =>
    failures.watch(request, isKnown(request), () => identify(request))
  return {
    admit: createAdmit(app, config, metrics),
    identify: identifyWatched,
    /** Identifies who sent an MCP message, metered by account if their key was recently valid. */
    async identifyMessage(request: FastifyRequest) {
      const { id } = recentHolder(request) ?? {}
      const metered = (id ? meter : meterAddress)(`mcp ${id ?? addressOf(request)}`, new Date())
      return identifyWatched(request).finally(metered.end)
    },
    /** Performs the first step of every call with a key, but with a key that nobody has. */
    lookUpNobody: () => findHolder(hashKey('')),
    enter: (...call: Parameters<typeof enter>) =>
      failures.watch(call[0], isKnown(call[0]), () => enter(...call)),
    /** for accounts that `enter` did not charge */
    takeQuota: createQuota(db, perDay),
    recentHolder,
    /** Makes a request one of `key`'s account, for a form that acts for the network's operator. */
    async actAs(request: FastifyRequest, key: string): Promise<void> {
      const hash = hashKey(key)
      acceptHolder(recent, request, hash, await findHolder(hash))
    },
    holderOfKey: (request: FastifyRequest) => holderOfKey(recent, request),
    refuseKeyless: failures.refuseKeyless,
    /** Whether calls from this address are refused, except with keys that were recently valid. */
    isBlocked: (request: FastifyRequest) => failures.isBlocked(request) && !recentHolder(request),
    meter,
    /** for calls that start or change a booking, because each of them occupies workers */
    meterBookings: createMeter('account', bookingPace),
    meterAddress,
    /** for routes without keys, whose calls last until the response has been written */
    meterResponses: (scope: FastifyInstance) => meterResponses(scope, meterAddress),
    checkSender: createCheckSender(db),
    /** Checks a signature. Valid ones do not count against a limit that strangers could use up. */
    requireSigned: <T>(request: FastifyRequest, check: () => Promise<T>) =>
      failures.watch(request, true, check),
    verifyVenue: createVerifyVenue(db, sealer),
    ...createVenueLinks(db, sealer, publicUrl),
    limitAddress,
    /** for links: a venue's boards ask often, and share their address with its guests */
    limitLink: (request: FastifyRequest) =>
      (keyOfLink(request) ? limitBoard : limitAddress)(request),
    /** for OAuth's tokens, apart from calls: strangers share a hosted assistant's address */
    tokenFailures: countFailedAuthentications(limitOf(config.OPEN_REQUESTS_PER_MINUTE)),
    /** for signed-in pages, which need more requests than the limit on open calls allows */
    limitPages: limitOf(PAGES_PER_MINUTE),
    ...createSessions({ db, publicUrl, sealer, failures }),
    checkOrigin: createOriginCheck(createIsAllowedOrigin(publicUrl, config)),
    requireSameOrigin: createRequireSameOrigin(publicUrl),
  }
}
