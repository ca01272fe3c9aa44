import { randomUUIDv7 } from 'node:crypto'
import type { BookingStart, CommandKind } from '../../src/bookings/rules/booking-messages.ts'
import { insertCommand } from '../../src/bookings/store/commands.ts'
import { type OperatorProgram, operatorContext } from '../../src/commands/operator-program.ts'
import { readConfig } from '../../src/config/config.ts'
import { outcomeOf } from '../../src/platform/command-line/run-program.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'

/** Stores a command for an existing booking as of `at`, as a door does, without running it. */
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

/** Runs an operator's command in this process; `output` is what it prints. */
export async function runOperatorCommand(
  program: OperatorProgram,
  DATABASE_URL: string,
  typed: readonly string[],
): Promise<{ code: number; output: string }> {
  const config = readConfig({ DATABASE_URL })
  const context = operatorContext(async (work) => {
    const db = openPool(DATABASE_URL, 1, () => {})
    try {
      return await work(db, config)
    } finally {
      await db.end()
    }
  }, new Date())
  const { code, stdout, stderr } = await outcomeOf(program, context, typed)
  const text = stdout ?? stderr
  return { code, output: text === undefined ? '' : `${text}\n` }
}
