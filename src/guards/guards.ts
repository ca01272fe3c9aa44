import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Sealer } from '../outbound/sealing.ts'
import type { Db } from '../store/sql.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createAddressLimit, type LimitAddress } from './address-limit.ts'
import { createIdentify, type Identify } from './authentication.ts'
import { type Admit, createAdmit } from './pressure.ts'
import { createQuota, type TakeQuota } from './quota.ts'
import { createJudgeSender, type JudgeSender } from './sender.ts'
import { createOpenVenueLink, type OpenVenueLink } from './venue-link.ts'
import { createVerifyVenue, type VerifyVenue } from './venue-signature.ts'

/** What stands between the doors and the operations. */
export type Guards = {
  admit: Admit
  identify: Identify
  judgeSender: JudgeSender
  takeQuota: TakeQuota
  limitAddress: LimitAddress
  verifyVenue: VerifyVenue
  openVenueLink: OpenVenueLink
}

/** The guards with the limits of the configuration; what they keep per request is declared on `app`. */
export async function createGuards(
  app: FastifyInstance,
  { config, db, sealer, metrics }: { config: Config; db: Db; sealer: Sealer; metrics: Metrics },
): Promise<Guards> {
  app.decorateRequest('keyHolder', undefined)
  return {
    admit: await createAdmit(app, config, metrics),
    identify: createIdentify(db),
    judgeSender: createJudgeSender(db),
    takeQuota: createQuota(db, {
      free: config.FREE_REQUESTS_PER_DAY,
      pro: config.PRO_REQUESTS_PER_DAY,
    }),
    verifyVenue: createVerifyVenue(db, sealer),
    openVenueLink: createOpenVenueLink(db, sealer),
    limitAddress: await createAddressLimit(app, config.OPEN_REQUESTS_PER_MINUTE),
  }
}
