import { addDays, dateOf } from '../../contract/rules/slot-time.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { createSharedMemory } from '../../platform/database/memory.ts'
import type { Db } from '../../platform/database/sql.ts'
import { couldTake } from '../rules/capacity.ts'
import type { SlotQuery } from '../rules/slots.ts'
import { type Dates, isBookable, type Offering, selectOfferingsOf } from './offerings.ts'

/** An offering as a party of a certain size asks for it. */
export type PartyOffering = { offering: Offering; query: SlotQuery }

export type Period = { from: Date; until: Date }

/**
 * What each venue offers in a period to a party; without a size, to two or the nearest number that its first offering
 * could take. A venue that offers nothing is not in the map.
 */
export async function selectPartyOfferings(
  db: Db,
  venueIds: readonly string[],
  period: Period,
  partySize?: number,
): Promise<Map<string, PartyOffering[]>> {
  const offerings = await recentOfferings(db, venueIds, datesOf(period))
  return new Map([...offerings].map(([id, group]) => [id, partyOfferingsOf(group, partySize)]))
}

/** While the same offerings are kept, so are their offers: what was worked out from them can be found again. */
const made = new WeakMap<readonly Offering[], Map<number | undefined, PartyOffering[]>>()

/** What these offerings of a venue offer to a party, or to two or the nearest number. */
export function partyOfferingsOf(group: readonly Offering[], partySize?: number): PartyOffering[] {
  const bySize = made.get(group) ?? new Map<number | undefined, PartyOffering[]>()
  made.set(group, bySize)
  const known = bySize.get(partySize)
  if (known) return known
  const size = partySize ?? usualParty(group)
  const takes = (offering: Offering) => isBookable(offering) && couldTake(offering, size)
  const offers = group.filter(takes).map((offering) => {
    const { rules, timezone, exceptions } = offering
    return { offering, query: { rules, timezone, exceptions, partySize: size } }
  })
  bySize.set(partySize, offers)
  return offers
}

/** Everything that a venue offers, with the exceptions of a period; the same list while it is kept. */
export async function selectRecentOfferings(
  db: Db,
  venueId: string,
  period: Period,
): Promise<readonly Offering[]> {
  const offerings = await recentOfferings(db, [venueId], datesOf(period))
  return offerings.get(venueId) ?? NOTHING
}
const NOTHING: readonly Offering[] = []

/** Long enough to spare a busy search the reading, short enough that nobody notices. */
const RECENT = { freshMs: 3_500, keptMs: 4_500 }
const MOST_VENUES = 20_000
const recent = createSharedMemory<Offering[]>(RECENT, MOST_VENUES)

async function recentOfferings(
  db: Db,
  venueIds: readonly string[],
  dates: Dates,
): Promise<Map<string, Offering[]>> {
  const read = readerOf(db)
  const offerings = await Promise.all(
    venueIds.map((id) => recent(db, `${id} ${dates.from} ${dates.to}`, () => read({ id, dates }))),
  )
  return new Map(
    venueIds.flatMap((id, index) => {
      const group = offerings[index] ?? []
      return group.length > 0 ? [[id, group]] : []
    }),
  )
}

type Wanted = { id: string; dates: Dates }
const READS_AT_ONCE = 4
const readers = new WeakMap<Db, (wanted: Wanted) => Promise<Offering[]>>()

/** Reads the offerings of venues that are asked for in the same moment together. */
function readerOf(db: Db): (wanted: Wanted) => Promise<Offering[]> {
  const reader =
    readers.get(db) ??
    coalesce<Wanted, Offering[]>(async (wanted) => {
      const periods = Map.groupBy(wanted, ({ dates }) => `${dates.from} ${dates.to}`)
      const read = await Promise.all([...periods.values()].map((group) => readPeriod(db, group)))
      const found = new Map(read.flatMap((one) => [...one]))
      return wanted.map((one) => found.get(one) ?? [])
    }, READS_AT_ONCE)
  readers.set(db, reader)
  return reader
}

async function readPeriod(db: Db, wanted: readonly Wanted[]): Promise<Map<Wanted, Offering[]>> {
  const [first] = wanted
  if (!first) return new Map()
  const ids = wanted.map(({ id }) => id)
  const read = await selectOfferingsOf(db, [...new Set(ids)], first.dates)
  const groups = Map.groupBy(read, ({ venue_id }) => venue_id)
  return new Map(wanted.map((one) => [one, groups.get(one.id) ?? []]))
}

/** Two, or the nearest number that the first offering could take, a smaller one first. */
function usualParty([first]: readonly Offering[]): number {
  const { party_min = 1, party_max = 2 } = first?.rules ?? {}
  const usual = Math.min(Math.max(2, party_min), party_max)
  for (let off = 0; first && off <= party_max - party_min; off += 1) {
    for (const size of [usual - off, usual + off]) if (couldTake(first, size)) return size
  }
  return usual
}

/** Every local date whose sessions can reach the period, whatever the zone. */
function datesOf({ from, until }: Period): Dates {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  return { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
}
