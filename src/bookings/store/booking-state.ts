import { z } from 'zod'
import { bookingStatuses } from '../../contract/rules/booking-status.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import { type Db, queryOptionalRow } from '../../platform/database/sql.ts'
import { changePhases, venueSyncs } from '../rules/booking.ts'
import type { BookingState } from '../rules/booking-messages.ts'
import { writeEntry } from './timeline.ts'

/** What `stateRow` reads. */
export const stateColumns = `status, next_action_at, confirm_mode, answer_by, venue_sync, changes, slot_time,
  starts_at, party_size, notice_due, change_phase`

/** A booking's row as its workflow needs to know it. */
export const stateRow = z
  .object({
    status: z.enum(bookingStatuses),
    next_action_at: z.date().nullable(),
    confirm_mode: z.enum(confirmModes),
    answer_by: z.date().nullable(),
    venue_sync: z.enum(venueSyncs),
    notice_due: z.string().nullable(),
    changes: z.int(),
    slot_time: z.string(),
    starts_at: z.date(),
    party_size: z.int(),
    change_phase: z.enum(changePhases).nullable(),
  })
  .transform(
    (row): BookingState => ({
      status: row.status,
      nextActionAt: row.next_action_at?.toISOString() ?? null,
      confirmMode: row.confirm_mode,
      ...((row.status === 'pending' || row.status === 'offered') && {
        answerBy: row.answer_by?.toISOString() ?? null,
      }),
      ...(row.notice_due !== null && { noticeDue: true }),
      ...(row.venue_sync === 'withdraw_due' && { withdrawDue: true }),
      ...(row.change_phase !== null && {
        change: { phase: row.change_phase, answerBy: row.answer_by?.toISOString() ?? null },
      }),
      ...(row.changes > 0 && {
        now: {
          slotTime: row.slot_time,
          startsAt: row.starts_at.toISOString(),
          partySize: row.party_size,
        },
      }),
    }),
  )

/** A statement that changes one booking, answers its `stateRow` and writes the entry in parameter `$n` into its timeline. */
export const told = (change: string, n: number): string =>
  `with changed as (${change} returning id, ${stateColumns}), ${writeEntry(n)}
   select ${stateColumns} from changed`

/** Where the booking stands, or undefined before it holds anything. */
export async function selectOptionalBookingState(
  db: Db,
  id: string,
): Promise<BookingState | undefined> {
  return queryOptionalRow(db, stateRow, `select ${stateColumns} from booking where id = $1`, [id])
}
