import { hoursInWords } from '../../availability/rules/opening-week.ts'
import { selectSlotsAndServices } from '../../availability/store/next-slots.ts'
import { presentServices } from '../../availability/store/present-services.ts'
import { slotFeeFor } from '../../availability/store/present-slot.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { Context } from '../../contract/operation.ts'
import type { Venue } from '../../contract/public.ts'
import { missedVisit } from './missed-visit.ts'

/** Slots shown per venue: in a list, and for a single venue. */
export const SLOTS_IN_LIST = 3
export const SLOTS_ALONE = 8

const anyTime = { partySize: null, date: null, time: null }

/** Venues as every door shows them, each with its next `count` bookable slots. */
export async function presentVenues(
  ctx: Context,
  venues: readonly VenueRow[],
  count: number,
): Promise<Venue[]> {
  const { db, at } = ctx
  const query = { at, ...slotFeeFor(ctx), count }
  const { slots, services } = await selectSlotsAndServices(db, venues, query)
  return venues.flatMap((row) => {
    const next = slots.get(row.id)
    if (!next) return []
    const missed = missedVisit({ ...next, services: services.byVenue.get(row.id) }, anyTime, at)
    const availability = { as_of: at.toISOString(), note: missed?.note ?? null, ...next }
    const windows = services.byVenue.get(row.id)?.flatMap(({ rules }) => rules.windows) ?? []
    const opening_hours = row.opening_hours ?? hoursInWords(windows)
    const own = presentServices(services.byVenue.get(row.id) ?? [])
    return [{ ...row, services: own, opening_hours, availability }]
  })
}
