import type { MigrationBuilder } from 'node-pg-migrate'

const constraints = ['x402_payment_deposit', 'x402_payment_deposit_refund', 'x402_payment_refund']

/**
 * For the refunds that are due, of which there are few. Built concurrently, outside a transaction.
 * Repeatable: an interrupted build leaves an invalid index, which is dropped and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: unknown[] = await pgm.db.select(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = 'x402_deposit_due'`,
  )
  for (const name of constraints) pgm.sql(`alter table x402_payment validate constraint ${name}`)
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  if (broken.length > 0) pgm.sql('drop index concurrently x402_deposit_due')
  pgm.sql(`create index concurrently if not exists x402_deposit_due on x402_payment (id)
    where deposit_refund = 'due'`)
  pgm.sql('reset lock_timeout')
}
