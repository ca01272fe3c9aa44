import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))

/**
 * Brings the schema up to date, forward only, in one transaction, and answers the names of the
 * migrations it ran. Processes that migrate at the same time wait for each other (advisory lock).
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const dbClient = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
  })
  // A connection that breaks fails the statement it runs; without a listener it would end the
  // process as well.
  dbClient.on('error', () => {})
  await dbClient.connect()
  try {
    const ran = await runner({
      dbClient,
      dir: migrations,
      direction: 'up',
      migrationsTable: 'migration',
      advisoryLockMode: 'wait',
      log: () => {},
    })
    return ran.map(({ name }) => name)
  } finally {
    await dbClient.end()
  }
}
