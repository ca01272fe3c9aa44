import type { MigrationBuilder } from 'node-pg-migrate'

/** Lists of an account that are narrowed: without these a filter that matches little looks at everything. */
const indexes = {
  // by status, and by local date of the slot
  booking_by_status: 'booking (account_id, status, id desc)',
  booking_by_slot: 'booking (account_id, slot_time) include (id)',
  // requests that became no booking, as store/booking-list.ts asks for them; open ones are few
  request_unbooked: `request (account_id, booking_id desc) where answer is null or answer ? 'refusal'`,
  // deliveries by type of event, and by the time at which they were put up
  delivery_by_type: 'delivery (endpoint_id, event_type, event_number desc)',
  delivery_by_time: 'delivery (endpoint_id, created_at) include (id, event_number)',
}

/**
 * Each is built by itself, outside a transaction, so that bookings and deliveries go on meanwhile. Running it again goes on where it was
 * broken off: a build that was leaves an invalid index.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: { name: string }[] = await pgm.db.select(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = any($1)`,
    [Object.keys(indexes)],
  )
  // A build waits for each transaction that began before it, however long that takes, and keeps nobody back.
  pgm.sql('set lock_timeout = 0')
  for (const { name } of broken) pgm.sql(`drop index concurrently ${name}`)
  for (const [name, columns] of Object.entries(indexes)) {
    pgm.sql(`create index concurrently if not exists ${name} on ${columns}`)
  }
  pgm.sql('reset lock_timeout')
}
