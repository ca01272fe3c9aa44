import type { BookingEngine } from '../../bookings/engine.ts'
import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { WaitlistEngine } from '../engine.ts'
import { selectOptionalEntryStart } from '../store/queue.ts'
import { markStarted, type OfferedHold } from '../store/turns.ts'

/** Starts bookings and signals entries. */
export type OfferEngine = Pick<BookingEngine, 'begin'> & Pick<WaitlistEngine, 'notifyEntry'>

/** Starts the workflows of offered holds and signals their entries; returns the holds. */
export async function startOfferedHolds(
  db: Pool,
  engine: OfferEngine,
  offered: readonly OfferedHold[],
): Promise<string[]> {
  for (const { hold_id, account_id, entry_id } of offered) {
    const [hold, entry] = await Promise.all([
      selectOptionalBookingStartOf(db, account_id, hold_id),
      selectOptionalEntryStart(db, entry_id),
    ])
    if (hold) await engine.begin(hold)
    if (entry) await engine.notifyEntry(entry)
    await markStarted(db, hold_id)
  }
  return offered.map(({ hold_id }) => hold_id)
}
