import { z } from 'zod'
import { defaultReminders } from '../../contract/rules/reminders.ts'
import { type Db, queryRow } from '../../platform/database/sql.ts'
import type { BookingState } from '../rules/booking-messages.ts'
import type { Schedule } from '../rules/due.ts'
import { type LockedBooking, reminderMinutes, stateColumns, stateRow } from './bookings.ts'

const scheduleRow = z
  .object({
    id: z.uuid(),
    starts_at: z.date(),
    ends_at: z.date(),
    reminders: reminderMinutes,
    reminded_until: z.date().nullable(),
  })
  .transform((row) => scheduleOf(row))

/** What decides when something is due of a confirmed booking. */
export const selectSchedule = (db: Db, id: string): Promise<Schedule> =>
  queryRow(db, scheduleRow)`
    select b.id, b.starts_at, b.ends_at, r.reminders, b.reminded_until
    from booking b join request r on r.booking_id = b.id where b.id = ${id}`

/** The schedule of a booking that a step has locked. */
export const scheduleOf = (
  row: Pick<LockedBooking, 'id' | 'starts_at' | 'ends_at' | 'reminders' | 'reminded_until'>,
): Schedule => ({
  id: row.id,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  reminders: row.reminders ?? defaultReminders,
  remindedUntil: row.reminded_until,
})

/** Stores up to when reminders are sent and what is due next; its agent sees no difference. */
export async function updateRemindedUntil(
  tx: Db,
  { id, revision }: Pick<LockedBooking, 'id' | 'revision'>,
  { remindedUntil, nextActionAt }: { remindedUntil: Date | null; nextActionAt: Date },
): Promise<BookingState> {
  return queryRow(tx, stateRow)`
    update booking set reminded_until = ${remindedUntil}, next_action_at = ${nextActionAt}
    where id = ${id} and revision = ${revision} and status = 'confirmed'
    returning ${stateColumns}`
}
