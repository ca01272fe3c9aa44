import { type Choice, claimOf, takeInventory } from '../../availability/steps/evaluate-services.ts'
import { holdPlaces, holdResources } from '../../availability/store/change-inventory.ts'
import type { InventoryClaim } from '../../availability/store/inventory.ts'
import type { VenueService } from '../../availability/store/venue-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import type { ChangeTarget, CommandDone, StepContext } from '../../bookings/hooks.ts'
import { venueIsAskedForChange } from '../../bookings/rules/timeline-reasons.ts'
import { updateChange } from '../../bookings/store/booking-changes.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertChange } from '../store/open-changes.ts'

/**
 * Reserves the inventory for a change to a confirmed booking, in addition to its own, and decides
 * to ask the venue, which commits before the first byte is sent. Undefined if the inventory is
 * taken; the caller must then roll back.
 */
export async function requestChange(
  tx: Db,
  booking: LockedBooking,
  { choice, target }: { choice: Choice; target: ChangeTarget },
  { terms, at }: StepContext,
): Promise<CommandDone | undefined> {
  const claim = claimOf(choice, { bookingId: booking.id, partySize: target.party_size })
  const inventory = await keepInventory(tx, choice.service, claim)
  if (!inventory) return undefined
  await insertChange(tx, booking.id, target, { ...inventory, occupiedUntil: claim.until })
  // The wait ends at the latest when the current slot or the new one starts.
  const deadline = at.getTime() + terms.venueAnswerMinutes * MINUTE_MS
  const starts = [booking.starts_at.getTime(), target.starts_at.getTime()]
  const answerBy = new Date(Math.min(deadline, ...starts))
  const reason = venueIsAskedForChange(booking, target, answerBy)
  await updateChange(tx, booking, { phase: 'asked', answerBy, ...reason }, at)
  return { answer: null, events: [] }
}

async function keepInventory(tx: Db, service: VenueService, claim: InventoryClaim) {
  if (service.strategy === 'pooled') {
    const isKept = await holdPlaces(tx, claim)
    return isKept ? { resourceIds: [], places: claim.partySize } : undefined
  }
  const resourceIds = await holdResources(tx, claim, () => takeInventory(tx, service, claim))
  return resourceIds && { resourceIds, places: 0 }
}
