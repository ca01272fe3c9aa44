import type { TimelineReason } from '../../bookings/rules/timeline.ts'
import {
  type LockedBooking,
  type SyncChange,
  stateColumns,
  stateRow,
  updateBooking,
} from '../../bookings/store/bookings.ts'
import { type Db, query } from '../../platform/database/sql.ts'

type Change = SyncChange & TimelineReason & { nextActionAt: Date | null }

/** Updates what the venue knows about a booking without changing the booking's status. */
export const updateVenueSync = (tx: Db, from: LockedBooking, change: Change, at: Date) =>
  updateBooking(tx, from, change, at)`
    next_action_at = ${change.nextActionAt},
    venue_sync = coalesce(${change.venueSync}, venue_sync),
    venue_answered_at = coalesce(${change.venueAnsweredAt}, venue_answered_at)`

/** Stores when the venue last repeated its response. */
export const updateVenueAnsweredAt = (tx: Db, id: string, answeredAt: Date) =>
  query.execute(tx)`update booking set venue_answered_at = ${answeredAt} where id = ${id}`

/** Changes when the workflow next checks the booking; only the workflow sees a difference. */
export const updateNextAction = (tx: Db, from: LockedBooking, nextActionAt: Date) =>
  query.row(tx, stateRow)`
    update booking set next_action_at = ${nextActionAt}
    where id = ${from.id} and status = ${from.status} and revision = ${from.revision}
    returning ${stateColumns}`
