import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/define.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import { selectOptionalWatchOfHold, selectOptionalWatchStart } from '../store/watch-queue.ts'
import { type Given, markStarted, selectGivenBy } from '../store/watch-turns.ts'

/** Tells workflows what a committed step has changed. Best effort: `scanWaitlist` repeats it. */
export type WatchNotifier = {
  /** Starts the holds that a booking's release led to, and tells their entries. */
  offered(db: Pool, freedBy: string): void
  /** Tells the entry that has, or had, this hold. */
  holdChanged(db: Pool, holdId: string): void
}

type WatchEngine = Pick<Engine, 'begin' | 'tellWatch'>

export function createWatchNotifier(engine: WatchEngine, log: Log): WatchNotifier {
  const tell = (bookingId: string, work: () => Promise<unknown>) =>
    void work().catch((error: unknown) =>
      log.warn({ booking_id: bookingId, error: loggable(error) }, 'watches are told later'),
    )
  return {
    offered: (db, freedBy) =>
      tell(freedBy, async () => startGiven(db, engine, await selectGivenBy(db, freedBy))),
    holdChanged: (db, holdId) =>
      tell(holdId, async () => {
        const watch = await selectOptionalWatchOfHold(db, holdId)
        if (watch) await engine.tellWatch(watch)
      }),
  }
}

/** Starts the workflows of holds that were offered, and tells their entries; answers the holds. */
export async function startGiven(
  db: Pool,
  engine: WatchEngine,
  given: readonly Given[],
): Promise<string[]> {
  for (const { accountId, bookingId, watchId } of given) {
    const [start, watch] = await Promise.all([
      selectOptionalBookingStartOf(db, accountId, bookingId),
      selectOptionalWatchStart(db, watchId),
    ])
    if (start) await engine.begin(start)
    if (watch) await engine.tellWatch(watch)
    await markStarted(db, bookingId)
  }
  return given.map(({ bookingId }) => bookingId)
}
