import { addDays, dateOf } from '../model/slot-time.ts'
import type { SlotQuery } from '../model/slots.ts'
import { createMemory } from './memory.ts'
import { type Dates, isBookable, type Offering, selectOfferingsOf } from './offerings.ts'
import type { Db } from './sql.ts'

/** An offering as a party of a certain size asks for it. */
export type Offer = { offering: Offering; query: SlotQuery }

export type Period = { from: Date; until: Date }

/**
 * What each venue offers in a period to a party; without a size, to two or the nearest number that its first offering
 * takes. A venue that offers nothing is not in the map.
 */
export async function selectOffers(
  db: Db,
  venueIds: readonly string[],
  period: Period,
  partySize?: number,
): Promise<Map<string, Offer[]>> {
  const offerings = await recentOfferings(db, venueIds, datesOf(period))
  return new Map(
    [...offerings].map(([id, group]) => {
      const size = partySize ?? usualParty(group)
      const offers = group.filter(isBookable).map((offering) => {
        const { rules, timezone, exceptions } = offering
        return { offering, query: { rules, timezone, exceptions, partySize: size } }
      })
      return [id, offers]
    }),
  )
}

/** Long enough to spare a busy search the reading, short enough that nobody notices. */
const RECENT_MS = 5_000
const MOST_VENUES = 20_000
const recent = createMemory<Offering[]>(RECENT_MS, MOST_VENUES)

async function recentOfferings(
  db: Db,
  venueIds: readonly string[],
  dates: Dates,
): Promise<Map<string, Offering[]>> {
  const keyOf = (id: string) => `${id} ${dates.from} ${dates.to}`
  const found = new Map(venueIds.map((id) => [id, recent.get(db, keyOf(id))]))
  const unknown = venueIds.filter((id) => found.get(id) === undefined)
  const read = unknown.length > 0 ? await selectOfferingsOf(db, unknown, dates) : []
  const groups = Map.groupBy(read, ({ venue_id }) => venue_id)
  for (const id of unknown) recent.set(db, keyOf(id), groups.get(id) ?? [])
  return new Map(
    venueIds.flatMap((id) => {
      const group = found.get(id) ?? groups.get(id) ?? []
      return group.length > 0 ? [[id, group]] : []
    }),
  )
}

function usualParty([first]: readonly Offering[]): number {
  const { party_min = 1, party_max = 2 } = first?.rules ?? {}
  return Math.min(Math.max(2, party_min), party_max)
}

/** Every local date whose sessions can reach the period, whatever the zone. */
function datesOf({ from, until }: Period): Dates {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  return { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
}
