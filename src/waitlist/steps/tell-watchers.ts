import type { BookingStart, BookingState, Decision } from '../../bookings/rules/booking-messages.ts'
import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/define.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import { selectOptionalWatchOfHold, selectOptionalWatchStart } from '../store/watch-queue.ts'
import { type Given, markStarted, selectGivenBy } from '../store/watch-turns.ts'

export type Messenger = { db: Pool; engine: Engine; log: Log }

type Led = BookingState | Decision
type Step<A extends unknown[], R extends Led> = (start: BookingStart, ...rest: A) => Promise<R>
type Steps = Record<
  'decideBooking' | 'hearVenue' | 'actWhenDue' | 'runCommands',
  // biome-ignore lint/suspicious/noExplicitAny: whatever else the steps take
  Step<any[], any>
>

/** The same activities; after a step of a booking that may have freed a place, watchers are told. */
export function tellingWatchers<S extends Steps>(messenger: Messenger, steps: S): S {
  const then = <A extends unknown[], R extends Led>(step: Step<A, R>, isNews = mayBeNews) => {
    return async (start: BookingStart, ...rest: A): Promise<R> => {
      const led = await step(start, ...rest)
      if (isNews(start, led)) await tellWatchers(messenger, start)
      return led
    }
  }
  return {
    ...steps,
    decideBooking: then(steps.decideBooking),
    hearVenue: then(steps.hearVenue),
    actWhenDue: then(steps.actWhenDue),
    // An amended booking stays confirmed, and has given something back all the same.
    runCommands: then(steps.runCommands, () => true),
  }
}

/** Spares a booking that is simply confirmed the question. */
function mayBeNews({ purpose }: BookingStart, led: Led): boolean {
  const status = 'status' in led ? led.status : led.state?.status
  return status !== undefined && (status !== 'confirmed' || purpose === 'hold')
}

/**
 * Starts the holds that watchers were given by a step of this booking, and tells the watch whose hold it is. Best effort, as the
 * look-out makes up for it: a step that has committed does not fail for want of a messenger.
 */
async function tellWatchers(messenger: Messenger, { bookingId }: BookingStart): Promise<void> {
  const { db, engine, log } = messenger
  try {
    await startGiven(messenger, await selectGivenBy(db, bookingId))
    const own = await selectOptionalWatchOfHold(db, bookingId)
    if (own) await engine.tellWatch(own)
  } catch (error) {
    log.warn({ booking_id: bookingId, error: loggable(error) }, 'watchers are told later')
  }
}

/** Starts the workflows of holds that watchers were given, and tells their watches; answers the holds. */
export async function startGiven(
  { db, engine }: Messenger,
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
