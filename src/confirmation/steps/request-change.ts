import { type Choice, claimOf, takeInventory } from '../../availability/steps/evaluate-offerings.ts'
import { keepResources, keepSeats } from '../../availability/store/change-inventory.ts'
import type { InventoryClaim } from '../../availability/store/inventory-claim.ts'
import type { Offering } from '../../availability/store/offerings.ts'
import type { ChangeTarget, CommandDone, StepContext, Terms } from '../../bookings/hooks.ts'
import { venueIsAskedForChange } from '../../bookings/rules/timeline-reasons.ts'
import { updateChange } from '../../bookings/store/booking-changes.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertChange } from '../store/open-changes.ts'

/**
 * Keeps what a confirmed booking is to become beside what it has, and puts the change to its venue: committed before the first byte
 * goes there. Undefined when it cannot be had; whatever was done is then undone by the caller.
 */
export async function requestChange(
  tx: Db,
  booking: LockedBooking,
  { choice, target }: { choice: Choice; target: ChangeTarget },
  { terms, at }: StepContext,
): Promise<CommandDone | undefined> {
  const claim = claimOf(choice, { bookingId: booking.id, partySize: target.partySize })
  const kept = await keepInventory(tx, choice.offering, claim)
  if (!kept) return undefined
  await insertChange(tx, booking.id, target, { ...kept, occupiedUntil: claim.until })
  const answerBy = answerByFor(booking, target, terms, at)
  const from = { slotTime: booking.slot_time, partySize: booking.party_size }
  const reason = venueIsAskedForChange(from, target, answerBy)
  await updateChange(tx, booking, { phase: 'asked', answerBy, ...reason, at })
  return { answer: null, events: [] }
}

/** Nobody waits beyond the beginning of the slot that there is, nor of the one that there is to be. */
function answerByFor(
  { starts_at }: LockedBooking,
  { startsAt }: ChangeTarget,
  { venueAnswerMinutes }: Terms,
  at: Date,
): Date {
  const patience = at.getTime() + venueAnswerMinutes * 60_000
  return new Date(Math.min(patience, starts_at.getTime(), startsAt.getTime()))
}

async function keepInventory(tx: Db, offering: Offering, claim: InventoryClaim) {
  if (offering.strategy === 'pooled') {
    const isKept = await keepSeats(tx, claim, offering.rules.places)
    return isKept ? { resourceIds: [], places: claim.partySize } : undefined
  }
  const resourceIds = await keepResources(tx, claim, () => takeInventory(tx, offering, claim))
  return resourceIds && { resourceIds, places: 0 }
}
