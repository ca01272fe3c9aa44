import type { Venue } from '../schema/public.ts'
import { selectAvailability } from '../store/availability.ts'
import { createOfSameBasis } from '../store/same-basis.ts'
import type { VenueRow } from '../store/venues.ts'
import type { Context } from './define.ts'

/** Slots shown of each venue in a list, and of a venue that is asked for alone. */
export const SLOTS_IN_LIST = 3
export const SLOTS_ALONE = 8

/** How many slots, for how many and from when; for the usual party and from now, if not said. */
type Slots = { count: number; partySize?: number; from?: Date }

/** The same venue with the same availability is the same object. */
const presented = createOfSameBasis<VenueRow, Venue>()

/** Venues as every door shows them, each with its next bookable slots. */
export async function presentVenues(
  ctx: Context,
  venues: readonly VenueRow[],
  slots: Slots,
): Promise<Venue[]> {
  const { db, at, settings } = ctx
  const found = await selectAvailability(db, venues, { at, feePct: settings.feePct, ...slots })
  return venues.flatMap((row) => {
    const availability = found.get(row.id)
    return availability ? [presented(row, [availability], () => ({ ...row, availability }))] : []
  })
}
