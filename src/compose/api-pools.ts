import type { RunConfig } from '../config/config.ts'
import { openPool } from '../platform/database/sql.ts'
import type { Instruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { showPool, watchStatements } from '../platform/telemetry/pool-watch.ts'

/** A call may wait for another call's lookup and then its own, but must be answered within 20 s. */
const STATEMENT_MS = 6_000
const STATUS_STATEMENT_MS = 1_000

/** An API's database connections: for calls, and for its status page. */
export function openApiPools(config: RunConfig, log: Log, instruments: Instruments) {
  const { DATABASE_URL, DATABASE_POOL, DATABASE_WAITERS, DATABASE_POOLER: pooler } = config
  const onLost = (error: Error) => log.error({ err: error }, 'lost an idle database connection')
  const watch = watchStatements(instruments, 'api', DATABASE_WAITERS)
  const limits = { statementMs: STATEMENT_MS, pooler }
  const db = openPool(DATABASE_URL, DATABASE_POOL, onLost, watch, limits)
  const statusDb = openPool(DATABASE_URL, 1, onLost, undefined, {
    statementMs: STATUS_STATEMENT_MS,
    pooler,
  })
  const hide = showPool(instruments, 'api', db)
  return {
    db,
    statusDb,
    async close() {
      hide()
      await Promise.all([db.end(), statusDb.end()])
    },
  }
}
