import type { MigrationBuilder } from 'node-pg-migrate'

/**
 * How often the address of a venue has failed to take the notice that is due, and the index by
 * which the sweep finds notices that nobody sends. The index is built concurrently, outside a
 * transaction; an interrupted build is dropped and repeated.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  pgm.sql('alter table booking add column if not exists notice_tries smallint not null default 0')
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  pgm.sql('drop index concurrently if exists booking_notice_due')
  pgm.sql(`create index concurrently booking_notice_due on booking (updated_at)
    where notice_due is not null`)
  pgm.sql('reset lock_timeout')
}
