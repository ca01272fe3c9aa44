import pg from 'pg'
import { noChannelWarnings } from '../commands/no-channel-warning.ts'
import type { Config } from '../config/config.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openPool } from '../platform/database/sql.ts'
import { unusable } from '../platform/database/usable.ts'
import { loadDemoVenues } from '../venues/demo/load.ts'
import { countVenues } from '../venues/store/venue-count.ts'
import { readFolderState, takeDataFolder } from './data-folder.ts'
import { startPostgres } from './postgres.ts'
import { withProgress } from './progress.ts'

const CONNECT_MS = 5_000

/** Throws an error naming the host and port, but not the password, unless the database answers. */
export async function requireDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw unusable(connectionString, error as Error)
  } finally {
    await client.end()
  }
}

/** Migrates a local database and loads the demo venues if they are wanted and it is empty. */
export async function prepareDatabase(url: string, demo: Config['DEMO'] = 'venues'): Promise<void> {
  await withProgress('Migrating the database', migrate(url))
  const db = openPool(url, 1, () => {})
  try {
    if (demo === 'none' || (await countVenues(db)) > 0) return
    await withProgress('Loading the demo venues', loadDemoVenues(db, new Date()))
  } finally {
    await db.end()
  }
}

/** Warnings of venues that take bookings although nobody is told of them. */
export async function withoutChannelIn(url: string): Promise<string[]> {
  const db = openPool(url, 1, () => {})
  try {
    return await noChannelWarnings(db)
  } finally {
    await db.end()
  }
}

/** `isOurs`: started only for this command, which must therefore migrate it. */
type CommandDatabase = { url: string; isOurs: boolean }

/**
 * Runs `work` on DATABASE_URL, on the database of the service running on DATA_DIR, or on DATA_DIR's
 * embedded PostgreSQL, started for the duration of the command.
 */
export async function withDatabase<T>(
  { DATABASE_URL, DATA_DIR }: Config,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL) {
    await requireDatabase(DATABASE_URL)
    return work({ url: DATABASE_URL, isOurs: false })
  }
  // Otherwise, a signal would end the process before PostgreSQL has stopped.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const folder = takeDataFolder(DATA_DIR)
  if (!folder) return work({ url: runningDatabase(DATA_DIR), isOurs: false })
  try {
    const starting = startPostgres(folder.path, { port: folder.state.postgresPort })
    const postgres = await withProgress('Starting PostgreSQL', starting)
    try {
      return await work({ url: postgres.url, isOurs: true })
    } finally {
      await postgres.stop()
    }
  } finally {
    folder.release()
  }
}

function runningDatabase(dataDir: string): string {
  const { databaseUrl, pid } = readFolderState(dataDir)
  if (databaseUrl) return databaseUrl
  throw new Error(
    `The service on ${dataDir} (process ${pid}) is starting or stopping. Try again in a moment.`,
  )
}
