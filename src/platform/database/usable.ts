import { readdirSync } from 'node:fs'
import pg from 'pg'
import { z } from 'zod'
import type { Log } from '../telemetry/log.ts'
import { type Db, query } from './sql.ts'

const rights = z.object({
  role: z.string(),
  can_change: z.boolean(),
  is_migrated: z.boolean(),
  denied: z.array(z.string()),
})
const migration = z.object({ name: z.string() })
const folder = new URL('./migrations', import.meta.url)
const MAX_LISTED = 3

/**
 * Throws, naming the remedy, unless the database answers, has this release's migrations, and lets
 * this role read and write each table. In production, warns if the role could change the schema.
 */
export async function requireServing(
  db: Db,
  { DATABASE_URL, NODE_ENV }: { DATABASE_URL: string; NODE_ENV: string },
  log: Log,
): Promise<void> {
  const { role, can_change, is_migrated, denied } = await selectRights(db).catch((error: Error) => {
    throw unusable(DATABASE_URL, error)
  })
  if (denied.length > 0) {
    const [all, to] = ['in schema public', pg.escapeIdentifier(role)]
    throw new Error(
      `The database role ${role} may not read and write ${few(denied)}. As the owner run: ` +
        `grant select, insert, update, delete on all tables ${all} to ${to}; ` +
        `grant usage on all sequences ${all} to ${to};`,
    )
  }
  const applied = is_migrated ? await query.rows(db, migration)`select name from migration` : []
  const names = new Set(applied.map(({ name }) => name))
  const files = readdirSync(folder).map((file) => file.replace(/\.(sql|ts)$/, ''))
  const missing = files.filter((name) => !names.has(name))
  if (missing.length > 0) {
    throw new Error(
      `The database lacks migrations of this release: ${few(missing)}. Run \`npm run migrate\` ` +
        'with the DATABASE_URL of the role that owns the schema.',
    )
  }
  if (NODE_ENV !== 'production' || !can_change) return
  log.warn({ role }, 'the database role could change the schema')
}

const selectRights = (db: Db) =>
  query.row(db, rights)`
    select current_user as role, has_schema_privilege('public', 'create') as can_change,
      to_regclass('public.migration') is not null as is_migrated,
      array(
        select relname::text from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not (
          has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
        order by relname
      ) as denied`

const few = (names: readonly string[]) =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`
    : names.join(', ')

/** Why a connection failed, without its password, and which setting fixes it. */
export function unusable(connectionString: string, error: Error): Error {
  const { host, port } = new pg.Client({ connectionString })
  const { code, message } = error as NodeJS.ErrnoException
  const why = message || code
  return new Error(`PostgreSQL at ${host}:${port} cannot be used (${why}). ${remedy(error)}`)
}

/** OpenSSL's names, as Node reports them. */
const certificateFault = /^(CERT_|DEPTH_ZERO|ERR_TLS_CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/

function remedy({ message, code = '' }: NodeJS.ErrnoException): string {
  if (message.includes('unsupported startup parameter')) {
    return (
      'It is a pooler in transaction mode: set DATABASE_POOLER=transaction. `npm run migrate` ' +
      'and `npm start` need the address of PostgreSQL itself.'
    )
  }
  if (certificateFault.test(code)) return 'Check host, sslmode and sslrootcert in DATABASE_URL.'
  return 'Check DATABASE_URL.'
}
