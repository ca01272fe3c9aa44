import type { MigrationBuilder } from 'node-pg-migrate'

const NAME = 'request_log_sender'

/**
 * Finds the accounts that send as an agent. Built concurrently, because the log grows with each
 * call. Repeatable: an interrupted build leaves an invalid index, which is dropped and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken = await pgm.db.select(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = $1`,
    [NAME],
  )
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  if (broken.length > 0) pgm.sql(`drop index concurrently ${NAME}`)
  pgm.sql(
    `create index concurrently if not exists ${NAME} on request_log
     (lower(from_agent), account_id) where from_agent is not null and code = 'ok'`,
  )
  pgm.sql('reset lock_timeout')
}
