import type { BookingHooks } from '../bookings/hooks.ts'
import { afterCommit } from '../platform/database/sql.ts'
import type { EntryNotifier } from './steps/entry-notifier.ts'
import { offerFreedSlots } from './steps/offer-freed-slots.ts'
import { cancelEntryOfHold, endTurn, fulfilEntry } from './store/entries.ts'

/** What the waitlist does when a booking moves. */
export const waitlistHooks = (notify: EntryNotifier): Partial<BookingHooks> => ({
  async onSlotFreed(tx, owner, freed, at) {
    const steps = await offerFreedSlots(tx, owner, freed, at)
    if (steps.length > 0) afterCommit(tx, (db) => notify.offered(db, owner.id))
    return steps
  },
  async onHoldEnded(tx, holdId, end, at) {
    // To cancel is to leave the queue; to let a hold lapse is to wait for another turn.
    const hasChanged =
      end === 'cancelled'
        ? await cancelEntryOfHold(tx, holdId, at)
        : await endTurn(tx, holdId, { missed: end === 'lapsed', at })
    if (hasChanged) afterCommit(tx, (db) => notify.holdChanged(db, holdId))
  },
  async onConfirmed(tx, holdId, at) {
    const hasChanged = await fulfilEntry(tx, holdId, at)
    if (hasChanged) afterCommit(tx, (db) => notify.holdChanged(db, holdId))
  },
})
