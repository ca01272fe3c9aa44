import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { selectOptionalEntryStart } from '../store/queue.ts'
import { markStarted, type OfferedHold } from '../store/turns.ts'

/** Starts the workflows of offered holds, and signals their entries; returns the holds. */
export async function startOfferedHolds(
  db: Pool,
  engine: Pick<Engine, 'resume' | 'notifyEntry'>,
  offered: readonly OfferedHold[],
): Promise<string[]> {
  for (const { accountId, bookingId, watchId } of offered) {
    const [hold, entry] = await Promise.all([
      selectOptionalBookingStartOf(db, accountId, bookingId),
      selectOptionalEntryStart(db, watchId),
    ])
    if (hold) await engine.resume(hold)
    if (entry) await engine.notifyEntry(entry)
    await markStarted(db, bookingId)
  }
  return offered.map(({ bookingId }) => bookingId)
}
