import type { RunConfig } from '../config/config.ts'
import { openReplica } from '../platform/database/replica.ts'
import { openPool } from '../platform/database/sql.ts'
import type { Instruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { showPool, watchStatements } from '../platform/telemetry/pool-watch.ts'

/** A call may wait for another's lookup and then its own, but is answered within 20 s. */
const STATEMENT_MS = 6_000
const STATUS_STATEMENT_MS = 1_000

/** An API's connections: for calls, for its status page, and to any replica. */
export function openApiPools(config: RunConfig, log: Log, instruments: Instruments) {
  const { DATABASE_URL, DATABASE_READ_URL, DATABASE_POOL, DATABASE_POOLER: pooler } = config
  const onLost = (error: Error) => log.error({ err: error }, 'lost an idle database connection')
  const open = (part: string, url: string) =>
    openPool(
      url,
      DATABASE_POOL,
      onLost,
      watchStatements(instruments, part, config.DATABASE_WAITERS),
      { statementMs: STATEMENT_MS, pooler },
    )
  const db = open('api', DATABASE_URL)
  const statusDb = openPool(DATABASE_URL, 1, onLost, undefined, {
    statementMs: STATUS_STATEMENT_MS,
    pooler,
  })
  const hidden = [showPool(instruments, 'api', db)]
  const readDb = DATABASE_READ_URL ? open('read', DATABASE_READ_URL) : undefined
  if (readDb) hidden.push(showPool(instruments, 'read', readDb))
  const replica = readDb && openReplica(db, readDb, log)
  return {
    db,
    statusDb,
    replica,
    async close() {
      for (const hide of hidden) hide()
      await replica?.close()
      await Promise.all([db.end(), statusDb.end()])
    },
  }
}
