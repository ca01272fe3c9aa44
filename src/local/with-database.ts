import type { Config } from '../config.ts'
import { readFolderState, takeDataFolder } from './data-folder.ts'
import { requireDatabase } from './database.ts'
import { startPostgres } from './postgres.ts'
import { withProgress } from './progress.ts'

/** `isOurs`: started for the moment, so nobody else sees to its schema. */
export type CommandDatabase = { url: string; isOurs: boolean }

/**
 * Runs `work` on the database that a command means: DATABASE_URL, that of the service running on
 * DATA_DIR, or the embedded PostgreSQL of DATA_DIR, started for the moment.
 */
export async function withDatabase<T>(
  { DATABASE_URL, DATA_DIR }: Config,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL) {
    await requireDatabase(DATABASE_URL)
    return work({ url: DATABASE_URL, isOurs: false })
  }
  // Without this a signal would end the process before PostgreSQL is stopped.
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
