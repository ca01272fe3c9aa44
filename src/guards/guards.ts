import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../store/sql.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createAddressLimit, type LimitAddress } from './address-limit.ts'
import { createIdentify, type Identify } from './authentication.ts'
import { type Admit, createAdmit } from './pressure.ts'
import { createQuota, type TakeQuota } from './quota.ts'

/** What stands between the doors and the operations. */
export type Guards = {
  admit: Admit
  identify: Identify
  takeQuota: TakeQuota
  limitAddress: LimitAddress
}

/** The guards with the limits of the configuration; what they keep per request is declared on `app`. */
export async function createGuards(
  app: FastifyInstance,
  config: Config,
  db: Db,
  metrics: Metrics,
): Promise<Guards> {
  app.decorateRequest('keyHolder', undefined)
  return {
    admit: await createAdmit(app, config, metrics),
    identify: createIdentify(db),
    takeQuota: createQuota(db, {
      free: config.FREE_REQUESTS_PER_DAY,
      pro: config.PRO_REQUESTS_PER_DAY,
    }),
    limitAddress: await createAddressLimit(app, config.OPEN_REQUESTS_PER_MINUTE),
  }
}
