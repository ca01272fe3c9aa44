import { randomUUIDv7 } from 'node:crypto'
import type { BookingStart, CommandKind } from '../../src/bookings/rules/booking-messages.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

/** Stores a command for an existing booking, given at `at`, as a door does. Nobody runs it. */
export async function storeCommand(
  db: Pool,
  { accountId, bookingId }: Pick<BookingStart, 'accountId' | 'bookingId'>,
  kind: CommandKind,
  at: Date,
  input: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUIDv7()
  await insertCommand(db, {
    id,
    accountId,
    bookingId,
    kind,
    input,
    idempotencyKey: null,
    bodyHash: Buffer.from(id),
    guest: null,
    door: 'rest',
    fromAgent: null,
    at,
  })
  return id
}
