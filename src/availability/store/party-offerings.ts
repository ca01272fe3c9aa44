import { hash } from 'node:crypto'
import { addDays, dateOf } from '../../base/local-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import { couldTake } from '../rules/capacity.ts'
import type { SlotQuery } from '../rules/slots.ts'
import {
  type Dates,
  isBookable,
  type Offering,
  parseOfferings,
  selectOfferingTexts,
} from './offerings.ts'

/** An offering, for a party of a given size. */
export type PartyOffering = { offering: Offering; query: SlotQuery }

export type Period = { from: Date; until: Date }

/** The offerings of venues in a period; leaves out venues without any. */
export type VenueOfferings = {
  byVenue: ReadonlyMap<string, readonly Offering[]>
  /** digest of the text from which the offerings were parsed */
  digest: string
}

/** The offerings of venues in a period; returns the same object `before` if nothing has changed. */
export async function readOfferings(
  db: Db,
  venueIds: readonly string[],
  period: Period,
  before?: VenueOfferings,
): Promise<VenueOfferings> {
  const texts = await readTogether(db)({ venueIds, dates: datesOf(period) })
  const digest = hash('sha256', [...venueIds, ...texts].join('\n'))
  if (before?.digest === digest) return before
  const parsed = texts.map(parseOfferings)
  const offered = venueIds.map((id, index) => [id, parsed[index] ?? []] as const)
  return { byVenue: new Map(offered.filter(([, { length }]) => length > 0)), digest }
}

type OfferingsQuery = { venueIds: readonly string[]; dates: Dates }

/** Pages that are planned at the same time share a statement. */
const readTogether = perDatabase((db) =>
  coalesceBy<OfferingsQuery, string[]>(
    ({ dates: { from, to } }) => `${from} ${to}`,
    async (query) => {
      const dates = query[0]?.dates ?? { from: '', to: '' }
      const ids = [...new Set(query.flatMap(({ venueIds }) => venueIds))]
      const rows = await selectOfferingTexts(db, { ids }, dates)
      const texts = new Map(rows.map(({ id, offerings }) => [id, offerings]))
      return query.map(({ venueIds }) => venueIds.map((id) => texts.get(id) ?? '[]'))
    },
  ),
)

/**
 * Each venue's offerings for a party; by default, for two guests or the nearest size that its first
 * offering takes.
 */
export const offeredTo = (
  { byVenue }: VenueOfferings,
  partySize?: number,
): Map<string, PartyOffering[]> =>
  new Map([...byVenue].map(([id, group]) => [id, partyOfferingsOf(group, partySize)]))

/** A venue's offerings for this party. */
export function partyOfferingsOf(group: readonly Offering[], partySize?: number): PartyOffering[] {
  const size = partySize ?? usualParty(group)
  const takes = (offering: Offering) => isBookable(offering) && couldTake(offering, size)
  return group.filter(takes).map((offering) => {
    const { rules, timezone, exceptions } = offering
    return { offering, query: { rules, timezone, exceptions, partySize: size } }
  })
}

/** Two guests, or the nearest size that the first offering takes, trying smaller sizes first. */
function usualParty([first]: readonly Offering[]): number {
  const { party_min = 1, party_max = 2 } = first?.rules ?? {}
  const usual = Math.min(Math.max(2, party_min), party_max)
  for (let off = 0; first && off <= party_max - party_min; off += 1) {
    for (const size of [usual - off, usual + off]) if (couldTake(first, size)) return size
  }
  return usual
}

/** Every local date whose sessions can overlap the period, in any time zone. */
export function datesOf({ from, until }: Period): Dates {
  const utcDate = (at: Date) => dateOf(at.toISOString())
  return { from: addDays(utcDate(from), -2), to: addDays(utcDate(until), 1) }
}
