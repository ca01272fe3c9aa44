import { selectAvailability } from '../../availability/store/availability.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { Context } from '../../contract/define.ts'
import type { Venue } from '../../contract/public.ts'
import { createOfSameBasis } from '../../platform/database/same-basis.ts'

/** Slots shown of each venue in a list, and of a venue that is asked for alone. */
export const SLOTS_IN_LIST = 3
export const SLOTS_ALONE = 8

/**
 * How many slots, for how many and from when; for the usual party and from now, if not said. Of a list with a name, that many ask for,
 * `as_of` may be up to five seconds ago: so long the same venues with the same slots are the same objects.
 */
type Slots = { count: number; partySize?: number; from?: Date; list?: string }

const AS_OF_MS = 5_000
const presented = createOfSameBasis<VenueRow, Venue>()

/** Venues as every door shows them, each with its next bookable slots. */
export async function presentVenues(
  ctx: Context,
  venues: readonly VenueRow[],
  { list, ...slots }: Slots,
): Promise<Venue[]> {
  const { db, at, settings } = ctx
  const found = await selectAvailability(db, venues, { at, feePct: settings.feePct, ...slots })
  const when =
    list === undefined ? at.getTime() : Math.floor((at.getTime() + turnOf(list)) / AS_OF_MS)
  return venues.flatMap((row) => {
    const next = found.get(row.id)
    if (!next) return []
    const present = () => ({ ...row, availability: { as_of: at.toISOString(), ...next } })
    return [presented(row, [when, next], present)]
  })
}

/** When, within those five seconds, a list is written out anew: were it the same moment for all, whoever asks then would wait. */
function turnOf(list: string): number {
  let turn = 0
  for (let index = 0; index < list.length; index += 1) {
    turn = (turn * 31 + list.charCodeAt(index)) % AS_OF_MS
  }
  return turn
}
