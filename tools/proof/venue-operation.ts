import type { Arena } from './arena.ts'
import type { KnownBooking } from './known-booking.ts'
import type { World } from './world.ts'

/** A slot at a venue. `which` picks one of the existing watches or groups at that venue. */
export type VenueTarget = {
  arena: Arena
  /** another venue, never full */
  roomy: Arena
  accountId: string
  slotTime: string
  partySize: number
  which: number
}

/** The outcome, and bookings on which other callers can act from now on. */
export type OperationResult = { outcome: string; bookings: readonly KnownBooking[] }

/**
 * An agent's act at a venue rather than on a known booking: watching a slot, or requesting a group.
 * The outcome depends on who comes first, so only the invariants check it, not a model.
 */
export type VenueOperation = {
  name: string
  weight: number
  run(world: World, target: VenueTarget): Promise<OperationResult>
}

export const nothingToDo: OperationResult = { outcome: 'nothing to do', bookings: [] }
export const pick = <T>(from: readonly T[], which: number): T | undefined =>
  from[which % from.length]
