import type { MigrationBuilder } from 'node-pg-migrate'

const indexes = {
  visit_by_guest: 'visit (guest, at desc)',
  visit_by_time: 'visit (at)',
}

/**
 * Builds each index concurrently, outside a transaction, so that writers continue. Repeatable: an
 * interrupted build leaves an invalid index, which is dropped and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: { name: string }[] = await pgm.db.select(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = any($1)`,
    [Object.keys(indexes)],
  )
  // A build waits for every older transaction, however long it takes, but blocks nobody.
  pgm.sql('set lock_timeout = 0')
  for (const { name } of broken) pgm.sql(`drop index concurrently ${name}`)
  for (const [name, columns] of Object.entries(indexes)) {
    pgm.sql(`create index concurrently if not exists ${name} on ${columns}`)
  }
  pgm.sql('reset lock_timeout')
}
