import { z } from 'zod'

const venueList = z.object({
  venues: z.array(
    z.object({
      id: z.string(),
      confirm_mode: z.string(),
      availability: z.object({
        slots: z.array(
          z.object({ slot_time: z.string(), party_min: z.number(), party_max: z.number() }),
        ),
      }),
    }),
  ),
})

export type ExampleBooking = { venue_id: string; slot_time: string; party_size: number }

const PARTY = 2

/**
 * A booking that can be made now, found the way an agent does: through the open listing. Undefined
 * when nothing is free.
 */
export async function findExampleBooking(url: string): Promise<ExampleBooking | undefined> {
  const response = await fetch(`${url}/api/venues`)
  const { venues } = venueList.parse(await response.json())
  for (const { id, confirm_mode, availability } of venues) {
    // A person would have to be there to answer.
    if (confirm_mode === 'request') continue
    const slot = availability.slots.findLast(
      ({ party_min, party_max }) => party_min <= PARTY && PARTY <= party_max,
    )
    if (slot) return { venue_id: id, slot_time: slot.slot_time, party_size: PARTY }
  }
  return undefined
}
