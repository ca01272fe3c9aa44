import { selectNextSlots } from '../../availability/store/next-slots.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { Context } from '../../contract/operation.ts'
import type { Venue } from '../../contract/public.ts'

/** Slots shown of each venue in a list, and of a venue by itself. */
export const SLOTS_IN_LIST = 3
export const SLOTS_ALONE = 8

/** Venues as every door shows them, each with its next `count` bookable slots. */
export async function presentVenues(
  { db, at, settings }: Context,
  venues: readonly VenueRow[],
  count: number,
): Promise<Venue[]> {
  const slots = await selectNextSlots(db, venues, { at, feePct: settings.feePct, count })
  return venues.flatMap((row) => {
    const next = slots.get(row.id)
    return next ? [{ ...row, availability: { as_of: at.toISOString(), ...next } }] : []
  })
}
