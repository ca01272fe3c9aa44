import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { NO_ENTRY } from '../../src/bookings/rules/timeline.ts'
import { isIntact, selectOptionalTimeline } from '../../src/bookings/store/timeline.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

/** The timeline of an existing booking. */
export async function timelineOf(db: Pool, start: BookingStart) {
  const found = await selectOptionalTimeline(db, start.accountId, start.bookingId)
  if (!found) throw new Error('no timeline')
  return found
}

/** Whether the timeline's entries lead to its head. */
export async function verifies(db: Pool, start: BookingStart): Promise<boolean> {
  const { entries, head } = await timelineOf(db, start)
  return isIntact(start.bookingId, entries, head ?? NO_ENTRY)
}
