import type { MigrationBuilder } from 'node-pg-migrate'

/** For the erasure of old history; without the last two, erasing a row would read a whole table. */
const indexes = {
  booking_history: `booking (account_id, id)
    where history_erased_at is null and next_action_at is null`,
  delivery_of_event: 'delivery (account_id, event_number)',
  slot_take_of_counter: 'slot_take (offering_id, starts_at)',
}

/**
 * When the history of a booking was erased, and what finds it. Indexes are built concurrently,
 * outside a transaction. Repeatable: an interrupted build leaves an invalid index, which is dropped
 * and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: { name: string }[] = await pgm.db.select(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = any($1)`,
    [Object.keys(indexes)],
  )
  pgm.sql('alter table booking add column if not exists history_erased_at timestamptz')
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  for (const { name } of broken) pgm.sql(`drop index concurrently ${name}`)
  for (const [name, columns] of Object.entries(indexes)) {
    pgm.sql(`create index concurrently if not exists ${name} on ${columns}`)
  }
  pgm.sql('reset lock_timeout')
}
