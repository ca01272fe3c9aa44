import type { MigrationBuilder } from 'node-pg-migrate'

/** For filtered lists of an account: without these a rare match reads every row. */
const indexes = {
  // by status, and by local date of the slot
  booking_by_status: 'booking (account_id, status, id desc)',
  booking_by_slot: 'booking (account_id, slot_time) include (id)',
  // requests without a booking, in the words of src/bookings/store/booking-list.ts
  request_unbooked: `request (account_id, booking_id desc)
    where answer is null or answer ? 'refusal'`,
  // deliveries by event type, and by the time at which they were enqueued
  delivery_by_type: 'delivery (endpoint_id, event_type, event_number desc)',
  delivery_by_time: 'delivery (endpoint_id, created_at) include (id, event_number)',
}

/**
 * Builds each index concurrently, outside a transaction, so that bookings and deliveries continue.
 * Repeatable: an interrupted build leaves an invalid index, which is dropped and built again.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  const broken: { name: string }[] = await pgm.db.select(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = any($1)`,
    [Object.keys(indexes)],
  )
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  for (const { name } of broken) pgm.sql(`drop index concurrently ${name}`)
  for (const [name, columns] of Object.entries(indexes)) {
    pgm.sql(`create index concurrently if not exists ${name} on ${columns}`)
  }
  pgm.sql('reset lock_timeout')
}
