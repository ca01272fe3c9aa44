import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import pg from 'pg'

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))
const TURN_MS = 200
/** Whoever wants a table meanwhile stands behind a migration that waits for it. */
const LOCK_TIMEOUT_MS = 5_000

/**
 * Brings the schema up to date, forward only, and answers the names of the migrations it ran. Each is a transaction of its own, or as
 * repeatable as one: what ran stays when a later one fails, and running it again goes on there. One that waits for a lock for more than
 * 5 s fails, where its wait would keep others back. Processes that migrate at the same time take turns.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const dbClient = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
  })
  // A connection that breaks fails the statement it runs; without a listener it would end the
  // process as well.
  dbClient.on('error', () => {})
  await dbClient.connect()
  try {
    await takeTurn(dbClient)
    const ran = await runner({
      dbClient,
      dir: migrations,
      direction: 'up',
      migrationsTable: 'migration',
      migrationLoaderStrategies: [
        { extensions: ['.sql'], loader: 'legacySql' },
        { extensions: ['.ts'], loader: loadModules },
      ],
      noLock: true,
      log: () => {},
    })
    return ran.map(({ name }) => name)
  } finally {
    await dbClient.end()
  }
}

/**
 * Takes the lock that migrations run under, until the connection ends. It asks again and again: a statement that waited for the lock
 * would be one that an index which is built concurrently waits for.
 */
async function takeTurn(dbClient: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await dbClient.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1::bigint) as taken',
      [PG_MIGRATE_LOCK_ID],
    )
    if (rows[0]?.taken) return
    await setTimeout(TURN_MS)
  }
}

/** As Node runs them: the runner's own loader would compile them. */
const loadModules = (paths: string[]) =>
  Promise.all(
    paths.map(async (path) => ({
      id: path,
      filePaths: [path],
      actions: await import(pathToFileURL(path).href),
    })),
  )
