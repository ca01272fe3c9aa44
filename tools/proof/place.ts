import type { Arena } from './arena.ts'
import type { Known } from './known.ts'
import type { World } from './world.ts'

/** Where, for whom and what; `which` chooses among what there is. */
export type Place = {
  arena: Arena
  /** another venue, which always has room */
  roomy: Arena
  accountId: string
  slotTime: string
  partySize: number
  which: number
}

/** What came of it, and bookings that others may act upon from now on. */
export type Seen = { outcome: string; seen: readonly Known[] }

/**
 * Something that agents do at a place rather than to a booking that they know: they wait for one,
 * or want several together. No model says what must become of it, as it depends on who comes first:
 * the questions afterwards do.
 */
export type PlaceOperation = {
  name: string
  weight: number
  run(world: World, place: Place): Promise<Seen>
}

export const nothing: Seen = { outcome: 'nothing there', seen: [] }
export const pick = <T>(from: readonly T[], which: number): T | undefined =>
  from[which % from.length]
