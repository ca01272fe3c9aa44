import pg from 'pg'

const CONNECT_MS = 5_000

/**
 * Throws one sentence that names host and port, never the password, when the database cannot be
 * reached.
 */
export async function requireDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(
      `PostgreSQL at ${client.host}:${client.port} cannot be used (${message || code}). Check DATABASE_URL.`,
    )
  } finally {
    await client.end()
  }
}

/** Creates those of the databases that the server lacks. */
export async function createMissingDatabases(
  connectionString: string,
  names: string[],
): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    const { rows } = await client.query('select datname from pg_database')
    const present = new Set(rows.map(({ datname }) => datname))
    for (const name of names.filter((name) => !present.has(name))) {
      await client.query(`create database ${client.escapeIdentifier(name)}`)
    }
  } finally {
    await client.end()
  }
}
