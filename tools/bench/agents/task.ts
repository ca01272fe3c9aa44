import { type Agent, expect } from './agent.ts'
import type { Fields } from './call.ts'
import type { Scene, StoredBooking } from './scene.ts'

/** A task. `fewest`: how many calls an agent that knows everything would need. */
export type Task = {
  name: string
  fewest: number
  tier?: 'free'
  run(agent: Agent, scene: Scene): Promise<void>
}

type Venue = {
  id: string
  slug: string
  name: string
  availability: { confirm_mode?: string; days: { date: string; times: string[] }[] }
}

/** Searches with a sentence, in the field that agents guess. */
export const search = (agent: Agent, query: string): Promise<{ venues: Venue[] } & Fields> =>
  agent.call({
    a2a: ['booking.search', { q: query }],
    rest: ['GET /api/venues/search', { query }],
    mcp: ['search_venues', { q: query }],
  })

/** The first venue that confirms at once and is free at this time, or any time that day. */
export function choose(agent: Agent, search: { venues: Venue[] }, date: string, time?: string) {
  for (const { availability, ...venue } of search.venues) {
    const times = availability.days.find((one) => one.date === date)?.times ?? []
    const fitting = time === undefined ? times[0] : times.find((one) => one === time)
    if (availability.confirm_mode !== 'request' && fitting) {
      return { ...venue, date, time: fitting, slot_time: `${date}T${fitting}:00` }
    }
  }
  throw agent.lost(`no venue in the answer is free on ${date} at ${time ?? 'any time'}`)
}

/** Books with these fields at each door. */
export const confirm = (input: Fields) => ({
  a2a: ['booking.confirm', input] as [string, Fields],
  rest: ['POST /api/bookings', input] as [string, Fields],
  mcp: ['confirm_booking', input] as [string, Fields],
})

/** Expects exactly one stored booking for this guest, with these fields. */
export async function expectStored(
  agent: Agent,
  scene: Scene,
  guest: string,
  fields: Partial<StoredBooking>,
): Promise<StoredBooking> {
  const own = await scene.bookingsOf(guest)
  const [only] = own
  const isWanted =
    own.length === 1 &&
    Object.entries(fields).every(([field, value]) => only?.[field as keyof StoredBooking] === value)
  expect(agent, isWanted && only, `stored for ${guest}: ${JSON.stringify(own)}`)
  return only
}
