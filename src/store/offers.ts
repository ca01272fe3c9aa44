import { addDays, dateOf } from '../model/slot-time.ts'
import type { SlotQuery } from '../model/slots.ts'
import { type Dates, type Offering, selectOfferingsOf } from './offerings.ts'
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
  const offerings = await selectOfferingsOf(db, venueIds, datesOf(period))
  return new Map(
    [...Map.groupBy(offerings, ({ venue_id }) => venue_id)].map(([id, group]) => {
      const size = partySize ?? usualParty(group)
      const offers = group.map((offering) => {
        const { rules, timezone, exceptions } = offering
        return { offering, query: { rules, timezone, exceptions, partySize: size } }
      })
      return [id, offers]
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
