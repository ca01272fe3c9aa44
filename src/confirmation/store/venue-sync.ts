import type { BookingState } from '../../bookings/rules/booking-messages.ts'
import type { TimelineReason } from '../../bookings/rules/timeline.ts'
import {
  type SyncChange,
  stateColumns,
  stateRow,
  type Version,
  withTimelineEntry,
} from '../../bookings/store/bookings.ts'
import { isNext, setHead, stepEntry } from '../../bookings/store/timeline.ts'
import { type Db, execute, queryRow } from '../../platform/database/sql.ts'

/** Changes what the venue knows of a booking whose status stays. */
export async function updateVenueSync(
  tx: Db,
  from: Version,
  change: SyncChange & TimelineReason & { nextActionAt: Date | null; at: Date },
): Promise<BookingState> {
  const entry = stepEntry(from, change, from.status)
  return withTimelineEntry(tx, entry)`
    update booking set revision = revision + 1, next_action_at = ${change.nextActionAt},
      updated_at = ${change.at}, venue_sync = coalesce(${change.venueSync ?? null}, venue_sync),
      venue_answered_at = coalesce(${change.venueAnsweredAt ?? null}, venue_answered_at),
      ${setHead(entry)}
    where id = ${from.id} and status = ${from.status} and revision = ${from.revision}
      and ${isNext(entry)}`
}

/** Notes, before the first byte goes out, that the venue may know of the booking; false when that was noted before. */
export async function markSent(db: Db, id: string): Promise<boolean> {
  const marked = await execute(db)`
    update booking set venue_sync = 'sent'
    where id = ${id} and status = 'pending' and venue_sync = 'not_sent'`
  return marked === 1
}

/** Notes since when the venue says what it has said before. */
export async function updateVenueAnsweredAt(tx: Db, id: string, answeredAt: Date): Promise<void> {
  await execute(tx)`update booking set venue_answered_at = ${answeredAt} where id = ${id}`
}

/** Lets the workflow look at the booking again at another time; nobody else sees a difference. */
export async function updateNextAction(
  tx: Db,
  from: Version,
  nextActionAt: Date,
): Promise<BookingState> {
  return queryRow(tx, stateRow)`
    update booking set next_action_at = ${nextActionAt} where id = ${from.id}
      and status = ${from.status} and revision = ${from.revision}
    returning ${stateColumns}`
}
