import type { MigrationBuilder } from 'node-pg-migrate'

/** What operators look for: rare rows, so most of these cost other work nothing. */
const indexes = {
  account_by_name: 'account (lower(name) text_pattern_ops)',
  account_suspended: 'account (id desc) where suspended_at is not null',
  api_key_hint: 'api_key (hint)',
  booking_answer_due: `booking (answer_by) where status = 'pending' or change_phase is not null`,
  booking_given_up: `booking (updated_at) where venue_sync = 'given_up'`,
  command_failed: 'command (created_at) where failures > 0',
  endpoint_in_trouble: `endpoint (failing_since, id)
    where deleted_at is null and (failing_since is not null or status = 'disabled')`,
}

/**
 * For the pages of operators. Built concurrently, outside a transaction. Repeatable: an interrupted
 * build leaves an invalid index, which is dropped and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: { name: string }[] = await pgm.db.select(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = any($1)`,
    [Object.keys(indexes)],
  )
  pgm.sql('alter table account validate constraint account_suspension')
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  for (const { name } of broken) pgm.sql(`drop index concurrently ${name}`)
  for (const [name, columns] of Object.entries(indexes)) {
    pgm.sql(`create index concurrently if not exists ${name} on ${columns}`)
  }
  pgm.sql('reset lock_timeout')
}
