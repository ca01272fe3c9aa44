/** A time that a venue's own system says to be free; `places_left` where it counts guests. */
export type MirrorSlot = {
  slot_time: string
  party_min: number
  party_max: number
  places_left?: number | null | undefined
}

/** What a venue last said of a date, by slot time; null where it said nothing: then its answer to a booking decides alone. */
export type MirrorDay = ReadonlyMap<string, MirrorSlot> | null

/** Whether the venue's own system has room for this party at this local time, as far as it has said. */
export function isFreeAtVenue(day: MirrorDay, slotTime: string, partySize: number): boolean {
  if (day === null) return true
  const slot = day.get(slotTime)
  if (!slot || partySize < slot.party_min || partySize > slot.party_max) return false
  return slot.places_left == null || partySize <= slot.places_left
}

/** A venue's system that nobody has asked for this long is late: twice as long as one may go unread. */
export const READING_LATE_MS = 120_000
