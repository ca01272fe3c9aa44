import pg from 'pg'

/**
 * What listens at DATABASE_URL: PostgreSQL itself, or a pooler that can run each transaction on a
 * different connection. A pooler that keeps prepared statements renames them for each connection.
 */
export const poolers = ['none', 'transaction', 'transaction-prepared'] as const
export type Pooler = (typeof poolers)[number]

const begins = new WeakMap<pg.Pool, string>()

/** The SQL that begins a transaction in this pool. */
export const beginOf = (pool: pg.Pool): string => begins.get(pool) ?? 'begin'

/** Whether this pool's sessions last for a single transaction. */
export const isPooled = (pool: pg.Pool): boolean => begins.has(pool)

/** Behind a pooler, a session lacks our settings, so each transaction begins with them. */
export function beginWith(pool: pg.Pool, settings: Readonly<Record<string, string>>): void {
  const statements = Object.entries(settings).map(
    ([name, value]) => `; set local ${pg.escapeIdentifier(name)} to ${pg.escapeLiteral(value)}`,
  )
  begins.set(pool, `begin${statements.join('')}`)
}

/** Makes a connection send unnamed statements: a pooler would not recognise named ones later. */
export function forgetNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>
  client.query = ((statement: string | pg.QueryConfig, ...rest: unknown[]) => {
    if (typeof statement === 'string') return query(statement, ...rest)
    const { name: _, ...unnamed } = statement
    return query(unnamed, ...rest)
  }) as typeof client.query
}

/** Throws behind a pooler: for commands that need a session, such as migrations. */
export function requireSessions(pooler: Pooler): void {
  if (pooler === 'none') return
  throw new Error(
    'Migrations need sessions, which a pooler in transaction mode does not provide: unset ' +
      'DATABASE_POOLER and set DATABASE_URL to the address of PostgreSQL itself.',
  )
}
