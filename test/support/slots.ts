import { type Agent, inThreeDays, isWithoutDeposit } from './agent.ts'

export type AskedSlot = { venue_id: string; slot_time: string; party_size: number }

/** Slots without a deposit at different venues, far enough ahead to stay bookable. */
export async function findSlots(
  agent: Agent,
  query: string,
  count: number,
  partySize = 2,
): Promise<AskedSlot[]> {
  const search = `q=${encodeURIComponent(query)}&date=${inThreeDays()}&limit=50&detail=full`
  const { body } = await agent.get(`/api/venues/search?${search}`)
  const found: AskedSlot[] = []
  for (const { id, availability } of body.venues) {
    const slot = availability.slots.findLast(isWithoutDeposit)
    if (slot) found.push({ venue_id: id, slot_time: slot.slot_time, party_size: partySize })
    if (found.length === count) return found
  }
  throw new Error(`only ${found.length} bookable slots for "${query}"`)
}

/** The same slot on a day beyond the booking horizon. */
export const beyondHorizon = (slot: AskedSlot): AskedSlot => ({
  ...slot,
  slot_time: `2049${slot.slot_time.slice(4)}`,
})
