import { inThreeDays } from './agent.ts'
import { openRunningService } from './network.ts'
import type { TestVenue } from './test-venues.ts'

/** A day on which every test venue can be booked. */
export const day = inThreeDays()
/** A time of that day at a venue. */
export const at = (clock: string) => `${day}T${clock}:00`

export type DayBookings = Awaited<ReturnType<typeof openDayBookings>>

/** A running service, and bookings of its agent on that day, by default for one guest. */
export async function openDayBookings() {
  const doors = await openRunningService()
  const { agent } = doors
  return {
    doors,
    agent,
    book: (venue: TestVenue, clock: string, request: object = {}) =>
      agent.post('/api/bookings', {
        ...{ venue_id: venue.id, party_size: 1, slot_time: at(clock), wait: 20 },
        ...request,
      }),
    read: async (path: string) => (await agent.get(path)).body,
  }
}
