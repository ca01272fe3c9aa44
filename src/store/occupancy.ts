import { z } from 'zod'
import type { SlotCounter, TakenResource } from '../model/free-places.ts'
import { coalesce } from './coalesce.ts'
import { type Db, queryRows } from './sql.ts'

/** An offering and the time in which it matters what is taken of it. */
export type Span = { offeringId: string; from: Date; until: Date }

const taken = z.object({
  offering_id: z.string(),
  resource_id: z.string(),
  kind: z.string(),
  party_min: z.int(),
  party_max: z.int(),
  joins: z.string().nullable(),
  from: z.number(),
  until: z.number(),
})

type TakenRow = TakenResource & { offering_id: string }

/** The resources that bookings occupy in these spans, in milliseconds since the epoch; possibly more than was asked for. */
export const selectTakenResources = together<TakenRow>((db, spans) =>
  queryRows(
    db,
    taken,
    // No allocation is longer than a day (a constraint), so the index bounds the search on both sides.
    `select a.offering_id, a.resource_id, r.kind, r.party_min, r.party_max, r.joins,
       extract(epoch from lower(a.during)) * 1000 as from,
       extract(epoch from upper(a.during)) * 1000 as until
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as s (offering_id, since, until)
     join allocation a on a.offering_id = s.offering_id and a.active
       and lower(a.during) > s.since - interval '1 day' and lower(a.during) < s.until
       and upper(a.during) > s.since
     join resource r on r.id = a.resource_id and r.retired_at is null`,
    columnsOf(spans),
  ),
)

const counter = z.object({
  offering_id: z.string(),
  starts_at: z.number(),
  cap: z.int(),
  used: z.int(),
})

type CounterRow = SlotCounter & { offering_id: string }

/** The counters of pooled slots that begin in these spans, in milliseconds since the epoch; possibly more. */
export const selectSlotCounters = together<CounterRow>((db, spans) =>
  queryRows(
    db,
    counter,
    `select c.offering_id, extract(epoch from c.starts_at) * 1000 as starts_at, c.cap, c.used
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as s (offering_id, since, until)
     join slot_counter c on c.offering_id = s.offering_id
       and c.starts_at >= s.since and c.starts_at < s.until`,
    columnsOf(spans),
  ),
)

const BATCHES_AT_ONCE = 2

/** Searches that run in the same moment ask the database together; each gets the rows of its own offerings. */
function together<R extends { offering_id: string }>(
  select: (db: Db, spans: readonly Span[]) => Promise<R[]>,
): (db: Db, spans: readonly Span[]) => Promise<R[]> {
  const batches = new WeakMap<Db, (spans: readonly Span[]) => Promise<R[]>>()
  const batchOn = (db: Db) =>
    coalesce<readonly Span[], R[]>(async (asked) => {
      const rows = Map.groupBy(
        await select(db, joined(asked.flat())),
        ({ offering_id }) => offering_id,
      )
      return asked.map((spans) => spans.flatMap(({ offeringId }) => rows.get(offeringId) ?? []))
    }, BATCHES_AT_ONCE)
  return async (db, spans) => {
    if (spans.length === 0) return []
    const batch = batches.get(db) ?? batchOn(db)
    batches.set(db, batch)
    return batch(spans)
  }
}

/** One span per offering, over all of its own. */
function joined(spans: readonly Span[]): Span[] {
  const byOffering = new Map<string, Span>()
  for (const span of spans) {
    const other = byOffering.get(span.offeringId) ?? span
    byOffering.set(span.offeringId, {
      offeringId: span.offeringId,
      from: other.from < span.from ? other.from : span.from,
      until: other.until > span.until ? other.until : span.until,
    })
  }
  return [...byOffering.values()]
}

const columnsOf = (spans: readonly Span[]) => [
  spans.map(({ offeringId }) => offeringId),
  spans.map(({ from }) => from),
  spans.map(({ until }) => until),
]
