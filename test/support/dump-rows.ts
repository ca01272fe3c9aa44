import type { Pool } from '../../src/platform/database/sql.ts'

/** Every row of every table as text, bytes in hexadecimal. */
export async function dumpRows(db: Pool): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const dumps: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`)
    dumps.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return dumps.join('\n')
}
