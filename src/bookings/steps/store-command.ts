import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { MAX_COMMANDS_A_DAY, MAX_OPEN_COMMANDS } from '../rules/booking.ts'
import {
  insertCommand,
  lockCommands,
  type NewCommand,
  selectCommandCounts,
} from '../store/commands.ts'

/** How soon the commands that await an answer could be answered. */
const OPEN_RETRY_SECONDS = 5

/**
 * Stores a command like `insertCommand`, with the same result. Throws `command_limit` and stores
 * nothing if the booking has had too many.
 */
export const storeCommand = (db: Pool, command: NewCommand): Promise<string | undefined> =>
  transaction(db, async (tx) => {
    const { bookingId: booking_id, kind, at } = command
    await lockCommands(tx, booking_id)
    const id = await insertCommand(tx, command)
    if (id !== command.id) return id
    const isEnding = kind === 'cancel' || kind === 'release'
    const since = new Date(at.getTime() - DAY_MS)
    const { open, recent, oldest } = await selectCommandCounts(tx, booking_id, { isEnding, since })
    if (open > MAX_OPEN_COMMANDS) {
      const what = `${MAX_OPEN_COMMANDS} commands for this booking wait for an answer.`
      throw refuse('command_limit', what, { booking_id, retry_after: OPEN_RETRY_SECONDS })
    }
    if (recent > MAX_COMMANDS_A_DAY) {
      const what = `This booking had ${MAX_COMMANDS_A_DAY} commands within 24 hours.`
      const waitMs = (oldest ?? at).getTime() - since.getTime()
      const retry_after = Math.max(1, Math.ceil(waitMs / 1000))
      throw refuse('command_limit', what, { booking_id, retry_after })
    }
    return id
  })
