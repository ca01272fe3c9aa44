import { z } from 'zod'
import { coalesce } from '../../platform/database/coalesce.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import type { Inventory } from '../rules/capacity.ts'
import type { Offering } from './offerings.ts'

/** An offering and the time in which it matters what is taken of it. */
export type Span = { offeringId: string; from: Date; until: Date }

/** A resource or some places of a slot that bookings take, in milliseconds since the epoch. */
const taken = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('resource'),
    offering_id: z.string(),
    resource_id: z.string(),
    kind: z.string(),
    party_min: z.int(),
    party_max: z.int(),
    joins: z.string().nullable(),
    from: z.number(),
    until: z.number(),
  }),
  z.object({
    of: z.literal('places'),
    offering_id: z.string(),
    starts_at: z.number(),
    cap: z.int(),
    used: z.int(),
  }),
])
type Taken = z.infer<typeof taken>

/** What each offering has, and what bookings take of it in its span; possibly more than was asked for. */
export async function selectInventories(
  db: Db,
  reach: readonly { offering: Offering; span: Span }[],
): Promise<(offering: Offering) => Inventory> {
  const counted = reach.filter(({ offering }) => offering.strategy !== 'on_request')
  const rows = await selectTaken(
    db,
    counted.map(({ span }) => span),
  )
  const rowsOf = Map.groupBy(rows, ({ offering_id }) => offering_id)
  return ({ id, strategy, resources }) => {
    const own = rowsOf.get(id) ?? []
    if (strategy === 'exclusive') {
      return { strategy, resources, taken: own.filter((row) => row.of === 'resource') }
    }
    if (strategy === 'pooled') {
      return { strategy, counters: own.filter((row) => row.of === 'places') }
    }
    return { strategy }
  }
}

const BATCHES_AT_ONCE = 2
const batches = new WeakMap<Db, (spans: readonly Span[]) => Promise<Taken[]>>()

/** Searches that run in the same moment ask the database together; each gets the rows of its own offerings. */
async function selectTaken(db: Db, spans: readonly Span[]): Promise<Taken[]> {
  if (spans.length === 0) return []
  const batch = batches.get(db) ?? batchOn(db)
  batches.set(db, batch)
  return batch(spans)
}

const batchOn = (db: Db) =>
  coalesce<readonly Span[], Taken[]>(async (asked) => {
    const rows = Map.groupBy(
      await readTaken(db, joined(asked.flat())),
      ({ offering_id }) => offering_id,
    )
    return asked.map((spans) => spans.flatMap(({ offeringId }) => rows.get(offeringId) ?? []))
  }, BATCHES_AT_ONCE)

// The spans come as one text, so that PostgreSQL expects as many of them each time and plans once, not for every batch.
const readTaken = (db: Db, spans: readonly Span[]): Promise<Taken[]> =>
  queryRows(
    db,
    taken,
    // No allocation is longer than a day (a constraint), so the index bounds the search on both sides.
    `with span as (
       select * from json_to_recordset($1) as s ("offeringId" uuid, "from" timestamptz, until timestamptz)
     )
     select 'resource' as of, a.offering_id, a.resource_id, r.kind, r.party_min, r.party_max, r.joins,
       extract(epoch from lower(a.during)) * 1000 as from,
       extract(epoch from upper(a.during)) * 1000 as until,
       null::numeric as starts_at, null::int as cap, null::int as used
     from span s
     join allocation a on a.offering_id = s."offeringId" and a.active
       and lower(a.during) > s."from" - interval '1 day' and lower(a.during) < s.until
       and upper(a.during) > s."from"
     join resource r on r.id = a.resource_id and r.retired_at is null
     union all
     select 'places', c.offering_id, null, null, null, null, null, null, null,
       extract(epoch from c.starts_at) * 1000, c.cap, c.used
     from span s
     join slot_counter c on c.offering_id = s."offeringId"
       and c.starts_at >= s."from" and c.starts_at < s.until`,
    [`[${spans.map(textOf).join()}]`],
  )

const texts = new WeakMap<Span, string>()

/** A span as JSON, written once: the same ones are asked for again and again. */
function textOf(span: Span): string {
  const known = texts.get(span)
  if (known !== undefined) return known
  const text = JSON.stringify(span)
  texts.set(span, text)
  return text
}

/** One span per offering, over all of its own: of two, the rows of both would count twice. */
function joined(spans: readonly Span[]): Span[] {
  const byOffering = new Map<string, Span>()
  for (const span of spans) {
    const other = byOffering.get(span.offeringId)
    byOffering.set(span.offeringId, other ? overBoth(other, span) : span)
  }
  return [...byOffering.values()]
}

function overBoth(one: Span, other: Span): Span {
  if (one === other) return one
  return {
    offeringId: one.offeringId,
    from: one.from < other.from ? one.from : other.from,
    until: one.until > other.until ? one.until : other.until,
  }
}
