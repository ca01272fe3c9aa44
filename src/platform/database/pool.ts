import pg from 'pg'
import { refuse } from '../../base/errors.ts'
import { beginOf, beginWith, forgetNames, isPooled, type Pooler } from './pooler.ts'
import { together } from './together.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

export type Pool = pg.Pool

/** Observes a pool and limits how many callers may wait for its connections. */
export type PoolWatch = {
  /** further callers are refused with `overloaded` */
  maxWaiting: number
  /** called when a caller's wait for a connection has ended, successfully or not */
  waited(seconds: number): void
  refused(): void
  /** Runs one statement; `text` is the SQL without its values. */
  statement<T>(text: string, run: () => Promise<T>): Promise<T>
}

const CONNECTION_TIMEOUT_MS = 5_000
const STATEMENT_MS = 30_000
/**
 * Longer than the pauses in housekeeping, which runs twice a minute: a new connection costs a
 * PostgreSQL process, a handshake of 4,096 hashes, and preparing every statement again.
 */
const IDLE_MS = 90_000
/** How much longer than PostgreSQL a client waits before treating the connection as lost. */
const UNANSWERED_MS = 1_000
const RETRY_AFTER_SECONDS = 2

// Our bigint and numeric columns hold counts, minor units and percentages below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// A timestamp without zone is a venue's local time: it stays text, in ISO form.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text.replace(' ', 'T'))
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export type PoolOptions = {
  /** how long a caller waits for a connection */
  patienceMs?: number
  /**
   * PostgreSQL ends a statement after this time. If no answer comes within another second, the
   * client gives up and closes the connection. By default only PostgreSQL ends it, after 30 s or
   * the session's own limit.
   */
  statementMs?: number
  /** PostgreSQL settings for every session in the pool */
  settings?: Readonly<Record<string, string>>
  /** what listens at this address; PostgreSQL itself by default */
  pooler?: Pooler
}

/**
 * A pool of at most `max` connections, each of which sends statements without waiting for earlier
 * answers (`together` in sql.ts). Reports the loss of an idle connection to `onError` and never
 * throws it.
 */
export function openPool(
  connectionString: string,
  max: number,
  onError: (error: Error) => void,
  watch?: PoolWatch,
  options: PoolOptions = {},
): Pool {
  const { patienceMs = CONNECTION_TIMEOUT_MS, statementMs, pooler = 'none' } = options
  const limit = statementMs ?? STATEMENT_MS
  const settings = { TimeZone: 'UTC', ...options.settings }
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: IDLE_MS,
    ...(statementMs && { query_timeout: statementMs + UNANSWERED_MS }),
    application_name: 'venue-network',
    ...(pooler === 'none' && sessionSettings(limit, settings)),
  })
  if (pooler !== 'none') {
    beginWith(pool, {
      statement_timeout: `${limit}`,
      idle_in_transaction_session_timeout: `${limit}`,
      ...settings,
    })
  }
  if (pooler === 'transaction') pool.on('connect', forgetNames)
  pool.on('error', onError)
  // A connection may break before its borrower is listening, which would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', writeTogether)
  if (watch) watchPool(pool, max, watch)
  // Runs in the caller's asynchronous context, so that a statement belongs to the caller's span.
  pool.query = ((...statement: [pg.QueryConfig]) =>
    withConnection(pool, (client) => {
      const run = () => client.query(...statement)
      return isPooled(pool) ? alone(pool, client, run) : run()
    })) as typeof pool.query
  return pool
}

/** Sends pending statements in one write; by default each needs its own system call. */
function writeTogether(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & pg.Client).connection
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>
  const uncork = () => stream.uncork()
  client.query = ((...statement: unknown[]) => {
    stream.cork()
    process.nextTick(uncork)
    return query(...statement)
  }) as typeof client.query
}

/** Settings that PostgreSQL keeps for the session. */
const sessionSettings = (limit: number, settings: Readonly<Record<string, string>>) => ({
  statement_timeout: limit,
  // Otherwise PostgreSQL might keep the locks of a transaction whose client is gone.
  idle_in_transaction_session_timeout: limit,
  options: Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
})

/** Runs a statement as its own transaction, in one round trip. */
async function alone<T>(pool: Pool, client: pg.PoolClient, run: () => Promise<T>): Promise<T> {
  const [, result] = await together(client.query(beginOf(pool)), run(), client.query('commit'))
  return result
}

/**
 * Lends a connection to `work`. Closes it if it breaks, does not answer, or is reported `lost` by
 * `work`.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient, onLost: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onLost = (error: Error) => {
    broken = error
  }
  client.on('error', onLost)
  try {
    return await work(client, onLost)
  } catch (error) {
    if (isDatabaseUnavailable(error)) onLost(error)
    throw error
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}

/** Places `watch` between the pool and its callers. */
function watchPool(pool: Pool, max: number, watch: PoolWatch): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  const overloaded = (what: string) => {
    watch.refused()
    return refuse('overloaded', what, { retry_after: RETRY_AFTER_SECONDS })
  }

  const checkOut = async () => {
    if (pool.waitingCount >= watch.maxWaiting) {
      throw overloaded(`${watch.maxWaiting} requests wait for the database.`)
    }
    const started = performance.now()
    try {
      return await connect()
    } catch (error) {
      if (!isWaitTooLong(error) || pool.totalCount < max) throw error
      throw overloaded('The database did not get to this request in time.')
    } finally {
      watch.waited((performance.now() - started) / 1000)
    }
  }

  pool.on('connect', (client) => watchClient(client, watch))
  pool.connect = checkOut as typeof pool.connect
}

function watchClient(client: pg.PoolClient, watch: PoolWatch): void {
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>
  client.query = ((...statement: [string | pg.QueryConfig]) => {
    const [first] = statement
    const text = typeof first === 'string' ? first : first.text
    return watch.statement(text, () => query(...statement))
  }) as typeof client.query
}

const isWaitTooLong = (error: unknown) =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'
