import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertOpenedSlot, selectOpenedSpans } from '../store/opened-slots.ts'
import { readVenueSlots } from '../store/venue-slots.ts'

/**
 * Notes for the feed that a slot which was full can be had again: what the booking has given back was the last of it, nobody was handed
 * it, and the venue's rules still let a party like this one take it. Part of a step's transaction, after the places were handed on.
 */
export async function recordOpenedSlots(
  tx: Db,
  from: Pick<LockedBooking, 'id' | 'party_size'>,
  { freed, at }: { freed: readonly FreedSpan[]; at: Date },
): Promise<void> {
  if (freed.length === 0) return
  const party = { bookingId: from.id, partySize: from.party_size }
  for (const span of await selectOpenedSpans(tx, { ...party, freed, at })) {
    const look = await readVenueSlots(tx, span.venueId, { from: span.from, until: span.until, at })
    const begins = { wanted: span.from, earliest: span.from, latest: span.from }
    if (look.free({ ...party, ...begins }, span).length === 0) continue
    return insertOpenedSlot(tx, span.venueId, at)
  }
}
