import type { MigrationBuilder } from 'node-pg-migrate'

const NAME = 'request_log_subject'

/**
 * Finds the calls about a booking. Built concurrently, because the log grows with each call.
 * Repeatable: an interrupted build leaves an invalid index, which is dropped and built again.
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
     (account_id, subject_id, at, request_id) where subject_id is not null`,
  )
  pgm.sql('reset lock_timeout')
}
