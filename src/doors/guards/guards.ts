import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { createAddressLimits, type LimitAddress } from './address-limit.ts'
import { createIdentify, type Identify } from './authentication.ts'
import { createEnter, type Enter } from './entry.ts'
import { type Admit, createAdmit } from './pressure.ts'
import { createQuota } from './quota.ts'
import { createRequireSameOrigin, type RequireSameOrigin } from './same-origin.ts'
import { createJudgeSender, type JudgeSender } from './sender.ts'
import { createOpenSession, type OpenSession } from './session.ts'
import { createSessionCookie, type SessionCookie } from './session-cookie.ts'
import { createOpenVenueLink, type OpenVenueLink } from './venue-link.ts'
import { createVerifyVenue, type VerifyVenue } from './venue-signature.ts'

/** What stands between the doors and the operations. */
export type Guards = {
  admit: Admit
  identify: Identify
  enter: Enter
  judgeSender: JudgeSender
  limitAddress: LimitAddress
  /** of pages behind a sign-in, which are looked at more often than the open calls of an account */
  limitPages: LimitAddress
  sessionCookie: SessionCookie
  openSession: OpenSession
  requireSameOrigin: RequireSameOrigin
  verifyVenue: VerifyVenue
  openVenueLink: OpenVenueLink
}

const PAGES_PER_MINUTE = 600

/** The guards with the limits of the configuration; what they keep per request is declared on `app`. */
export async function createGuards(
  app: FastifyInstance,
  deps: { config: Config; publicUrl: string; db: Db; sealer: Sealer; metrics: Metrics },
): Promise<Guards> {
  const { config, publicUrl, db, sealer, metrics } = deps
  app.decorateRequest('keyHolder', undefined)
  app.decorateRequest('developer', null)
  const limitOf = await createAddressLimits(app)
  const perDay = { free: config.FREE_REQUESTS_PER_DAY, pro: config.PRO_REQUESTS_PER_DAY }
  const identify = createIdentify(db)
  const sessionCookie = createSessionCookie(publicUrl)
  return {
    admit: await createAdmit(app, config, metrics),
    identify,
    enter: createEnter(db, perDay, { identify, takeQuota: createQuota(db, perDay) }),
    judgeSender: createJudgeSender(db),
    verifyVenue: createVerifyVenue(db, sealer),
    openVenueLink: createOpenVenueLink(db, sealer),
    limitAddress: limitOf(config.OPEN_REQUESTS_PER_MINUTE),
    limitPages: limitOf(PAGES_PER_MINUTE),
    sessionCookie,
    openSession: createOpenSession(db, sessionCookie),
    requireSameOrigin: createRequireSameOrigin(publicUrl),
  }
}
