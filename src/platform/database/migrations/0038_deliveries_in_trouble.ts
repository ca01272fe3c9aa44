import type { MigrationBuilder } from 'node-pg-migrate'

const NAME = 'delivery_in_trouble'

/**
 * The deliveries of an endpoint that wait for another attempt: few, among any number that wait for
 * their first. Built concurrently, so that deliveries continue. Repeatable, as `0018_lists.ts` is.
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
  pgm.sql(`create index concurrently if not exists ${NAME}
    on delivery (endpoint_id, event_number) where status = 'pending' and tries > 0`)
  pgm.sql('reset lock_timeout')
}
