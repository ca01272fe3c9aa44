import { hash } from 'node:crypto'
import { addDays, dateOf } from '../../base/local-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import { couldTake } from '../rules/capacity.ts'
import { type Wish, wished } from '../rules/service-terms.ts'
import type { SlotQuery } from '../rules/slots.ts'
import {
  choosable,
  type Dates,
  parseServices,
  selectServiceTexts,
  type VenueService,
} from './venue-services.ts'

/** A service, for a party of a given size. */
export type PartyService = { service: VenueService; query: SlotQuery }

export type Period = { from: Date; until: Date }

/** The services of venues in a period; leaves out venues without any. */
export type OfferedServices = {
  byVenue: ReadonlyMap<string, readonly VenueService[]>
  /** digest of the text from which the services were parsed */
  digest: string
}

/** The services of venues in a period; returns the same object `before` if nothing has changed. */
export async function readServices(
  db: Db,
  venueIds: readonly string[],
  period: Period,
  before?: OfferedServices,
): Promise<OfferedServices> {
  const texts = await readTogether(db)({ venueIds, dates: datesOf(period) })
  const digest = hash('sha256', [...venueIds, ...texts].join('\n'))
  if (before?.digest === digest) return before
  const parsed = texts.map(parseServices)
  const offered = venueIds.map((id, index) => [id, parsed[index] ?? []] as const)
  return { byVenue: new Map(offered.filter(([, { length }]) => length > 0)), digest }
}

type ServicesQuery = { venueIds: readonly string[]; dates: Dates }

/** Pages that are planned at the same time share a statement. */
const readTogether = perDatabase((db) =>
  coalesceBy<ServicesQuery, string[]>(
    ({ dates: { from, to } }) => `${from} ${to}`,
    async (query) => {
      const dates = query[0]?.dates ?? { from: '', to: '' }
      const ids = [...new Set(query.flatMap(({ venueIds }) => venueIds))]
      const rows = await selectServiceTexts(db, { ids }, dates)
      const texts = new Map(rows.map(({ id, services }) => [id, services]))
      return query.map(({ venueIds }) => venueIds.map((id) => texts.get(id) ?? '[]'))
    },
  ),
)

/**
 * Each venue's services for a party; by default, for two guests or the nearest size that its first
 * service takes.
 */
export const offeredTo = (
  { byVenue }: OfferedServices,
  partySize?: number,
): Map<string, PartyService[]> =>
  new Map([...byVenue].map(([id, group]) => [id, partyServicesOf(group, partySize)]))

/** A venue's services for this party. */
export function partyServicesOf(
  all: readonly VenueService[],
  partySize?: number,
  wish: Wish = {},
): PartyService[] {
  const group = wished(all, wish)
  const size = partySize ?? usualParty(group)
  const takers = choosable(group).filter((service) => couldTake(service, size))
  return takers.map((service) => {
    const { rules, timezone, exceptions } = service
    return { service, query: { rules, timezone, exceptions, partySize: size } }
  })
}

/** Two guests, or the nearest size that the first service takes, trying smaller sizes first. */
function usualParty([first]: readonly VenueService[]): number {
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
