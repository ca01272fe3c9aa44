import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import { selectOptionalEntryOfHold, selectOptionalEntryStart } from '../store/queue.ts'
import { markStarted, type OfferedHold, selectOfferedBy } from '../store/turns.ts'

/** Tells workflows what a committed step has changed. Best effort: `scanWaitlist` repeats it. */
export type EntryNotifier = {
  /** Starts the holds that a booking's release led to, and tells their entries. */
  offered(db: Pool, freedBy: string): void
  /** Tells the entry that has, or had, this hold. */
  holdChanged(db: Pool, holdId: string): void
}

type WaitlistEngine = Pick<Engine, 'begin' | 'notifyEntry'>

export function createEntryNotifier(engine: WaitlistEngine, log: Log): EntryNotifier {
  const tell = (bookingId: string, work: () => Promise<unknown>) =>
    void work().catch((error: unknown) =>
      log.warn({ booking_id: bookingId, error: loggable(error) }, 'watches are told later'),
    )
  return {
    offered: (db, freedBy) =>
      tell(freedBy, async () => startOfferedHolds(db, engine, await selectOfferedBy(db, freedBy))),
    holdChanged: (db, holdId) =>
      tell(holdId, async () => {
        const watch = await selectOptionalEntryOfHold(db, holdId)
        if (watch) await engine.notifyEntry(watch)
      }),
  }
}

/** Starts the workflows of holds that were offered, and tells their entries; answers the holds. */
export async function startOfferedHolds(
  db: Pool,
  engine: WaitlistEngine,
  given: readonly OfferedHold[],
): Promise<string[]> {
  for (const { accountId, bookingId, watchId } of given) {
    const [start, watch] = await Promise.all([
      selectOptionalBookingStartOf(db, accountId, bookingId),
      selectOptionalEntryStart(db, watchId),
    ])
    if (start) await engine.begin(start)
    if (watch) await engine.notifyEntry(watch)
    await markStarted(db, bookingId)
  }
  return given.map(({ bookingId }) => bookingId)
}
