import { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import type { Inventory } from '../rules/capacity.ts'
import type { CandidateSlot } from './candidate-slots.ts'
import type { VenueService } from './venue-services.ts'

/** The period in which a service's bookings matter. */
export type InventorySpan = { service: VenueService; from: Date; until: Date }

/** Spans to read, each serialized to JSON once, because a cached query is sent often. */
export type InventoryQuery = readonly { service: VenueService; json: string }[]

/** The inventory that bookings occupy; `text` identifies the rows. */
export type TakenInventory = { text: string; of(service: VenueService): Inventory }

export function inventoryQueryOf(candidates: Iterable<CandidateSlot>): InventoryQuery {
  const groups = Map.groupBy(candidates, ({ service }) => service)
  return queryOfSpans([...groups].map(([service, group]) => spanOf(service, group)))
}

/** From the start of the first slot to the latest possible end of the last. */
function spanOf(service: VenueService, candidates: readonly CandidateSlot[]): InventorySpan {
  const { durations, buffer_minutes } = service.rules
  const starts = candidates.map(({ slot }) => slot.startsAt.getTime())
  const longest = Math.max(...durations.map(({ minutes }) => minutes)) + buffer_minutes
  return {
    service,
    from: new Date(Math.min(...starts)),
    until: new Date(Math.max(...starts) + longest * MINUTE_MS),
  }
}

export const queryOfSpans = (spans: readonly InventorySpan[]): InventoryQuery =>
  spans
    .filter(({ service }) => service.strategy !== 'on_request')
    .map(({ service, from, until }) => ({
      service,
      json: JSON.stringify({ service_id: service.id, from, until }),
    }))

/** The inventory that bookings occupy now. Concurrent queries share a statement. */
export async function readInventory(db: Db, query: InventoryQuery): Promise<TakenInventory> {
  const rowTexts = query.length > 0 ? await readTogether(db)(query.map(({ json }) => json)) : []
  const texts = new Map(query.map(({ service }, index) => [service.id, rowTexts[index]]))
  const parsed = new Map<string, Inventory>()
  return {
    text: rowTexts.join('\n'),
    of(service) {
      const inventory = parsed.get(service.id) ?? inventoryOf(service, texts.get(service.id))
      parsed.set(service.id, inventory)
      return inventory
    },
  }
}

const resources = z.array(
  z.object({
    resource_id: z.string(),
    kind: z.string(),
    party_min: z.int(),
    party_max: z.int(),
    joins: z.string().nullable(),
    from: z.number(),
    until: z.number(),
  }),
)
const counters = z.array(z.object({ starts_at: z.number(), cap: z.int(), used: z.int() }))

function inventoryOf({ strategy, resources: all }: VenueService, text = ''): Inventory {
  const rows: unknown = JSON.parse(text || '[]')
  if (strategy === 'exclusive') return { strategy, resources: all, taken: resources.parse(rows) }
  return strategy === 'pooled' ? { strategy, counters: counters.parse(rows) } : { strategy }
}

const BATCHES_CONCURRENCY = 2

const readTogether = perDatabase((db) =>
  coalesce<readonly string[], readonly string[]>(async (queries) => {
    const spans = [...new Set(queries.flat())]
    const rows = await selectTaken(db, spans)
    const allocations = new Map(rows.map((row) => [spans[row.n - 1], row.taken]))
    return queries.map((query) => query.map((span) => allocations.get(span) ?? ''))
  }, BATCHES_CONCURRENCY),
)

const takenRow = z.object({ n: z.int(), taken: z.string() })

// Passing the spans as one JSON text lets one plan serve any number of them. A constraint limits an
// allocation to one day, so the index bounds the search on both sides.
const selectTaken = (db: Db, spans: readonly string[]) =>
  queryRows(db, takenRow)`
    with span as (
      select * from rows from (
        json_to_recordset(${`[${spans.join()}]`}) as (service_id uuid, "from" timestamptz,
          until timestamptz)
      ) with ordinality as s (service_id, "from", until, n)
    ), taken as (
      select s.n, lower(a.during) as starts_at, a.resource_id, json_build_object(
        'resource_id', a.resource_id, 'kind', r.kind, 'party_min', r.party_min,
        'party_max', r.party_max, 'joins', r.joins,
        'from', extract(epoch from lower(a.during)) * 1000,
        'until', extract(epoch from upper(a.during)) * 1000) as row
      from span s
      join allocation a on a.service_id = s.service_id and a.active
        and lower(a.during) > s."from" - interval '1 day' and lower(a.during) < s.until
        and upper(a.during) > s."from"
      join resource r on r.id = a.resource_id and r.retired_at is null
      union all
      select s.n, c.starts_at, null, json_build_object(
        'starts_at', extract(epoch from c.starts_at) * 1000, 'cap', c.cap, 'used', c.used)
      from span s
      join slot_counter c on c.service_id = s.service_id
        and c.starts_at >= s."from" and c.starts_at < s.until
    )
    select n::int, json_agg(row order by starts_at, resource_id)::text as taken
    from taken group by n`
