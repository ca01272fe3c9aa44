import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate'
import pg from 'pg'
import { unusable } from './usable.ts'

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))
const TURN_MS = 200
const DENIED = /permission denied|must be owner/
const OWNER_NEEDED = 'Set DATABASE_URL to that of the role that owns the schema.'
/** While a migration waits to lock a table, all later queries of that table wait too. */
const LOCK_TIMEOUT_MS = 5_000

/**
 * Runs the migrations in a folder, forward only, and returns the names of new ones. Each runs in a
 * transaction or is safe to repeat, so a run can continue where another failed. A migration fails
 * if it waits 5 s for a lock. Concurrent runs take turns.
 */
export async function migrate(databaseUrl: string, folder = migrations): Promise<string[]> {
  const dbClient = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS}`,
  })
  // Without a listener, a broken connection would end the process.
  dbClient.on('error', () => {})
  await dbClient.connect().catch((error: Error) => {
    throw unusable(databaseUrl, error)
  })
  try {
    await takeTurn(dbClient)
    const ran = await runner({
      dbClient,
      dir: folder,
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
  } catch (error) {
    throw withOwnerNamed(error as Error)
  } finally {
    await dbClient.end()
  }
}

/** The runner reports some errors without a code and with a stack trace in the message. */
function withOwnerNamed(error: Error): Error {
  const [line = ''] = error.message.split('\n')
  return DENIED.test(line) ? new Error(`${line}. ${OWNER_NEEDED}`) : error
}

/** Takes the migration lock. Polls, because a concurrent index build waits for statements. */
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

/** Node can run TypeScript; the runner's own loader would compile it. */
const loadModules = (paths: string[]) =>
  Promise.all(
    paths.map(async (path) => ({
      id: path,
      filePaths: [path],
      actions: await import(pathToFileURL(path).href),
    })),
  )
