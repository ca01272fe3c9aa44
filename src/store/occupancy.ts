import { z } from 'zod'
import type { SlotCounter, TakenResource } from '../model/free-places.ts'
import { type Db, queryRows } from './sql.ts'

/** An offering and the time in which it matters what is taken of it. */
export type Span = { offeringId: string; from: Date; until: Date }

const taken = z.object({
  offering_id: z.string(),
  resource_id: z.string(),
  kind: z.string(),
  party_min: z.int(),
  party_max: z.int(),
  from: z.number(),
  until: z.number(),
})

/** The resources that bookings occupy in these spans, in milliseconds since the epoch. */
export async function selectTakenResources(
  db: Db,
  spans: readonly Span[],
): Promise<(TakenResource & { offering_id: string })[]> {
  if (spans.length === 0) return []
  return queryRows(
    db,
    taken,
    `select r.offering_id, a.resource_id, r.kind, r.party_min, r.party_max,
       extract(epoch from lower(a.during)) * 1000 as from,
       extract(epoch from upper(a.during)) * 1000 as until
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as s (offering_id, since, until)
     join resource r on r.offering_id = s.offering_id
     join allocation a on a.resource_id = r.id and a.active
       and a.during && tstzrange(s.since, s.until)`,
    columnsOf(spans),
  )
}

const counter = z.object({
  offering_id: z.string(),
  starts_at: z.number(),
  cap: z.int(),
  used: z.int(),
})

/** The counters of pooled slots that begin in these spans, in milliseconds since the epoch. */
export async function selectSlotCounters(
  db: Db,
  spans: readonly Span[],
): Promise<(SlotCounter & { offering_id: string })[]> {
  if (spans.length === 0) return []
  return queryRows(
    db,
    counter,
    `select c.offering_id, extract(epoch from c.starts_at) * 1000 as starts_at, c.cap, c.used
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as s (offering_id, since, until)
     join slot_counter c on c.offering_id = s.offering_id
       and c.starts_at >= s.since and c.starts_at < s.until`,
    columnsOf(spans),
  )
}

const columnsOf = (spans: readonly Span[]) => [
  spans.map(({ offeringId }) => offeringId),
  spans.map(({ from }) => from),
  spans.map(({ until }) => until),
]
