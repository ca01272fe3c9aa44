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
export type InventoryQuery = readonly { venueId: string; json: string }[]

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

/** One span per venue, because its services share its resources. */
export function queryOfSpans(spans: readonly InventorySpan[]): InventoryQuery {
  const counted = spans.filter(({ service }) => service.strategy !== 'on_request')
  const byVenue = Map.groupBy(counted, ({ service }) => service.venue_id)
  return [...byVenue].map(([venueId, own]) => {
    const from = new Date(Math.min(...own.map((span) => span.from.getTime())))
    const until = new Date(Math.max(...own.map((span) => span.until.getTime())))
    return { venueId, json: JSON.stringify({ venue_id: venueId, from, until }) }
  })
}

/** The inventory that bookings occupy now. Concurrent queries share a statement. */
export async function readInventory(db: Db, query: InventoryQuery): Promise<TakenInventory> {
  const rowTexts = query.length > 0 ? await readTogether(db)(query.map(({ json }) => json)) : []
  const texts = new Map(query.map(({ venueId }, index) => [venueId, rowTexts[index]]))
  const parsed = new Map<string, TakenRows>()
  return {
    text: rowTexts.join('\n'),
    of(service) {
      const id = service.venue_id
      const text = texts.get(id)
      const rows = parsed.get(id) ?? (text ? takenRows.parse(JSON.parse(text)) : NOTHING_TAKEN)
      parsed.set(id, rows)
      return inventoryOf(service, rows)
    },
  }
}

const takenRows = z.object({
  taken: z.array(z.object({ resource_id: z.string(), from: z.number(), until: z.number() })),
  counters: z.array(
    z.object({ service_id: z.string(), starts_at: z.number(), cap: z.int(), used: z.int() }),
  ),
})
type TakenRows = z.infer<typeof takenRows>
const NOTHING_TAKEN: TakenRows = { taken: [], counters: [] }

function inventoryOf(service: VenueService, { taken, counters }: TakenRows): Inventory {
  const { id, strategy, timezone, resources } = service
  if (strategy === 'exclusive') return { strategy, timezone, resources, taken }
  if (strategy === 'on_request') return { strategy }
  const own = counters.filter(({ service_id }) => service_id === id)
  return { strategy, resources, taken, counters: own }
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

const textRow = z.object({ n: z.int(), taken: z.string() })

// Passing the spans as one JSON text lets one plan serve any number of them. A constraint limits an
// allocation to one day, so the index bounds the search on both sides.
const selectTaken = (db: Db, spans: readonly string[]) =>
  queryRows(db, textRow)`
    with span as (
      select * from rows from (
        json_to_recordset(${`[${spans.join()}]`}) as (venue_id uuid, "from" timestamptz,
          until timestamptz)
      ) with ordinality as s (venue_id, "from", until, n)
    ), taken as (
      select s.n, false as is_counter, lower(a.during) as starts_at, a.resource_id as id,
        json_build_object(
        'resource_id', a.resource_id, 'from', extract(epoch from lower(a.during)) * 1000,
        'until', extract(epoch from upper(a.during)) * 1000) as row
      from span s
      join allocation a on a.venue_id = s.venue_id and a.active
        and lower(a.during) > s."from" - interval '1 day' and lower(a.during) < s.until
        and upper(a.during) > s."from"
      union all
      select s.n, true, c.starts_at, c.service_id, json_build_object('service_id', c.service_id,
        'starts_at', extract(epoch from c.starts_at) * 1000,
        'cap', case when c.closed then 0 else c.cap end, 'used', c.used)
      from span s
      join service o on o.venue_id = s.venue_id and o.strategy = 'pooled'
      join slot_counter c on c.service_id = o.id
        and c.starts_at >= s."from" and c.starts_at < s.until
    )
    select n::int, json_build_object(
      'taken', coalesce(json_agg(row order by starts_at, id) filter (where not is_counter), '[]'),
      'counters', coalesce(json_agg(row order by starts_at, id) filter (where is_counter), '[]')
    )::text as taken
    from taken group by n`
