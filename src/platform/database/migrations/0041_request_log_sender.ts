import type { MigrationBuilder } from 'node-pg-migrate'

/** `agent_name` says who sends as an agent; the index on the log costs each call something. */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  pgm.sql('drop index concurrently if exists request_log_sender')
}
