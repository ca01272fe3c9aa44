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
  return queryRow(
    tx,
    stateRow,
    withTimelineEntry(
      `update booking set revision = revision + 1, next_action_at = $4, updated_at = $5,
         venue_sync = coalesce($6, venue_sync), venue_answered_at = coalesce($7, venue_answered_at),
         ${setHead(8)}
       where id = $1 and status = $2 and revision = $3 and ${isNext(8)}`,
      8,
    ),
    [
      from.id,
      from.status,
      from.revision,
      change.nextActionAt,
      change.at,
      change.venueSync ?? null,
      change.venueAnsweredAt ?? null,
      stepEntry(from, change, from.status),
    ],
  )
}

/** Notes, before the first byte goes out, that the venue may know of the booking; false when that was noted before. */
export async function markSent(db: Db, id: string): Promise<boolean> {
  const marked = await execute(
    db,
    `update booking set venue_sync = 'sent'
     where id = $1 and status = 'pending' and venue_sync = 'not_sent'`,
    [id],
  )
  return marked === 1
}

/** Notes since when the venue says what it has said before. */
export async function updateVenueAnsweredAt(tx: Db, id: string, answeredAt: Date): Promise<void> {
  await execute(tx, 'update booking set venue_answered_at = $2 where id = $1', [id, answeredAt])
}

/** Lets the workflow look at the booking again at another time; nobody else sees a difference. */
export async function updateNextAction(
  tx: Db,
  from: Version,
  nextActionAt: Date,
): Promise<BookingState> {
  return queryRow(
    tx,
    stateRow,
    `update booking set next_action_at = $4 where id = $1 and status = $2 and revision = $3
     returning ${stateColumns}`,
    [from.id, from.status, from.revision, nextActionAt],
  )
}
