/** A free time in a venue's own system; `places_left` if that system counts guests. */
export type MirrorSlot = {
  slot_time: string
  party_min: number
  party_max: number
  places_left?: number | null | undefined
}

/** The latest report for a date, by slot time; null if there is none. */
export type MirrorDay = ReadonlyMap<string, MirrorSlot> | null

/** Whether the venue's system has room; true without a report, as the venue decides later. */
export function isFreeAtVenue(day: MirrorDay, slotTime: string, partySize: number): boolean {
  if (day === null) return true
  const slot = day.get(slotTime)
  if (!slot || partySize < slot.party_min || partySize > slot.party_max) return false
  return slot.places_left == null || partySize <= slot.places_left
}

/** A venue's system counts as late after this long without a reading (twice the allowed time). */
export const READING_LATE_MS = 120_000
