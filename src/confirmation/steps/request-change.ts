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
import { setNoticeDue } from '../store/venue-notices.ts'
import { staffTimes } from './request-confirmation.ts'

/**
 * Reserves the inventory for a change to a confirmed booking, in addition to its own, and decides
 * to ask the venue, which commits before the first byte is sent. Undefined if the inventory is
 * taken; the caller must then roll back.
 */
export async function requestChange(
  tx: Db,
  booking: LockedBooking,
  { choice, target, isOnPage }: { choice: Choice; target: ChangeTarget; isOnPage: boolean },
  context: StepContext,
): Promise<CommandDone | undefined> {
  const claim = claimOf(choice, { bookingId: booking.id, partySize: target.party_size })
  const inventory = await keepInventory(tx, choice.service, claim)
  if (!inventory) return undefined
  await insertChange(tx, booking.id, target, { ...inventory, occupiedUntil: claim.until })
  const { terms, at } = context
  const isOfPeople = booking.confirm_mode === 'request'
  if (isOfPeople) await setNoticeDue(tx, booking.id, 'request.waiting')
  // The wait ends at the latest when the current slot or the new one starts.
  const deadline = isOfPeople
    ? (await staffTimes(tx, booking, context)).answerBy.getTime()
    : at.getTime() + terms.venueAnswerMinutes * MINUTE_MS
  const starts = [booking.starts_at.getTime(), target.starts_at.getTime()]
  const answerBy = new Date(Math.min(deadline, ...starts))
  const reason = venueIsAskedForChange(booking, target, answerBy, isOnPage)
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
