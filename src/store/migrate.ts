import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))

/**
 * Brings the schema up to date, forward only, in one transaction, and answers the names of the migrations it ran. Processes
 * that migrate at the same time wait for each other (advisory lock).
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const ran = await runner({
    databaseUrl: { connectionString: databaseUrl, connectionTimeoutMillis: 10_000 },
    dir: migrations,
    direction: 'up',
    migrationsTable: 'migration',
    advisoryLockMode: 'wait',
    log: () => {},
  })
  return ran.map(({ name }) => name)
}
