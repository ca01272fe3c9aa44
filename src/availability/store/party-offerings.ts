import { addDays, dateOf } from '../../contract/rules/local-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import { couldTake } from '../rules/capacity.ts'
import type { SlotQuery } from '../rules/slots.ts'
import { type Dates, isBookable, type Offering, selectOfferingsOf } from './offerings.ts'

/** An offering as a party of a certain size asks for it. */
export type PartyOffering = { offering: Offering; query: SlotQuery }

export type Period = { from: Date; until: Date }

/**
 * What each venue offers a party in a period; without a size, a party of two or the nearest size that
 * its first offering can take. Venues that offer nothing are not in the map.
 */
export async function selectPartyOfferings(
  db: Db,
  venueIds: readonly string[],
  period: Period,
  partySize?: number,
): Promise<Map<string, PartyOffering[]>> {
  const offerings = await readTogether(db)({ venueIds, dates: datesOf(period) })
  const groups = Map.groupBy(offerings, ({ venue_id }) => venue_id)
  return new Map([...groups].map(([id, group]) => [id, partyOfferingsOf(group, partySize)]))
}

type Wanted = { venueIds: readonly string[]; dates: Dates }

/** Pages that are planned in one moment share a statement. */
const readTogether = perDatabase((db) =>
  coalesceBy<Wanted, Offering[]>(
    ({ dates: { from, to } }) => `${from} ${to}`,
    async (wanted) => {
      const dates = wanted[0]?.dates ?? { from: '', to: '' }
      const ids = wanted.flatMap(({ venueIds }) => venueIds)
      const groups = Map.groupBy(await selectOfferingsOf(db, ids, dates), (one) => one.venue_id)
      return wanted.map(({ venueIds }) => venueIds.flatMap((id) => groups.get(id) ?? []))
    },
  ),
)

/** Those of a venue's offerings that such a party can have. */
export function partyOfferingsOf(group: readonly Offering[], partySize?: number): PartyOffering[] {
  const size = partySize ?? usualParty(group)
  const takes = (offering: Offering) => isBookable(offering) && couldTake(offering, size)
  return group.filter(takes).map((offering) => {
    const { rules, timezone, exceptions } = offering
    return { offering, query: { rules, timezone, exceptions, partySize: size } }
  })
}

/** Two, or the nearest number that the first offering can take, a smaller one first. */
function usualParty([first]: readonly Offering[]): number {
  const { party_min = 1, party_max = 2 } = first?.rules ?? {}
  const usual = Math.min(Math.max(2, party_min), party_max)
  for (let off = 0; first && off <= party_max - party_min; off += 1) {
    for (const size of [usual - off, usual + off]) if (couldTake(first, size)) return size
  }
  return usual
}

/** Every local date whose sessions can reach the period, in any time zone. */
export function datesOf({ from, until }: Period): Dates {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  return { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
}
