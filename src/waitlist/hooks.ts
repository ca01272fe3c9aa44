import type { BookingHooks, HookParts } from '../bookings/hooks.ts'
import { afterCommit, type Db, type Pool } from '../platform/database/sql.ts'
import { loggable } from '../platform/telemetry/log.ts'
import { offerFreedSlots } from './steps/offer-freed-slots.ts'
import { type OfferEngine, startOfferedHolds } from './steps/start-offered-holds.ts'
import { cancelEntryOfHold, endTurn, fulfilEntry } from './store/entries.ts'
import { selectOptionalEntryOfHold } from './store/queue.ts'
import { selectOfferedBy } from './store/turns.ts'

/** The waitlist's reactions to changes in bookings. */
export function waitlistHooks({
  engine,
  log,
  terms: { limits },
}: HookParts<OfferEngine>): Partial<BookingHooks> {
  // Best effort: `scanWaitlist` retries it.
  const notify = (tx: Db, bookingId: string, work: (db: Pool) => Promise<unknown>) =>
    afterCommit(tx, (db) => {
      work(db).catch((error: unknown) =>
        log.warn({ booking_id: bookingId, error: loggable(error) }, 'watches are notified later'),
      )
    })
  const notifyOfHold = (tx: Db, holdId: string) =>
    notify(tx, holdId, async (db) => {
      const entry = await selectOptionalEntryOfHold(db, holdId)
      if (entry) await engine.notifyEntry(entry)
    })
  return {
    async onSlotFreed(tx, owner, freed, at) {
      const steps = await offerFreedSlots(tx, owner, freed, at, limits)
      if (steps.length > 0) {
        notify(tx, owner.id, async (db) =>
          startOfferedHolds(db, engine, await selectOfferedBy(db, owner.id)),
        )
      }
      return steps
    },
    async onHoldEnded(tx, holdId, end, at) {
      // Cancelling the hold ends the entry; letting it lapse makes the entry wait for another turn.
      const hasChanged =
        end === 'cancelled'
          ? await cancelEntryOfHold(tx, holdId, at)
          : await endTurn(tx, holdId, { missed: end === 'lapsed', at })
      if (hasChanged) notifyOfHold(tx, holdId)
    },
    async onConfirmed(tx, holdId, at) {
      if (await fulfilEntry(tx, holdId, at)) notifyOfHold(tx, holdId)
    },
  }
}
