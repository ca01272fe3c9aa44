import sql from 'sql-template-tag'
import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** A party that staff give a place; `personId`: who does, or frees it. */
export type NewWalkIn = {
  id: string
  venueId: string
  partySize: number
  personId: string | null
  at: Date
}

type Stay = { serviceId: string; slotTime: string; startsAt: Date; endsAt: Date }

/** Inserts a walk-in, whose inventory is then taken; false if a press has just done so. */
export const insertWalkIn = (
  tx: Db,
  { id, venueId, partySize, personId, at }: NewWalkIn,
  { serviceId, slotTime, startsAt, endsAt }: Stay,
): Promise<boolean> =>
  query.affectsRow(tx)`
    insert into walk_in (id, venue_id, service_id, party_size, slot_time, starts_at, ends_at,
      person_id, created_at)
    values (${id}, ${venueId}, ${serviceId}, ${partySize}, ${slotTime}, ${startsAt}, ${endsAt},
      ${personId}, ${at}) on conflict (id) do nothing`

/** How long a walk-in stays after its end. */
const KEPT_MS = 90 * DAY_MS

/** Deletes a venue's walk-ins that ended long ago. */
export const deleteOldWalkIns = (tx: Db, venueId: string, at: Date) =>
  query.execute(tx)`
    with old as materialized (
      select id from walk_in
      where venue_id = ${venueId} and ends_at < ${new Date(at.getTime() - KEPT_MS)}
    ), tables as (
      delete from allocation where walk_in_id in (select id from old)
    ), places as (
      delete from slot_count where walk_in_id in (select id from old)
    )
    delete from walk_in where id in (select id from old)`

/** Marks a walk-in as freed; false if it is another venue's or was freed before. */
export const updateFreed = (
  tx: Db,
  { id, venueId, personId, at }: Omit<NewWalkIn, 'partySize'>,
): Promise<boolean> =>
  query.affectsRow(tx)`
    update walk_in set freed_at = ${at}, freed_by = ${personId}
    where id = ${id} and venue_id = ${venueId} and freed_at is null`

const walkInRow = z.object({
  id: z.uuid(),
  slot_time: z.string(),
  starts_at: z.date(),
  ends_at: z.date(),
  party_size: z.int(),
  freed_at: z.date().nullable(),
  /** the names of its tables or rooms */
  resources: z.string().nullable(),
  taken_by: z.string().nullable(),
})
export type WalkIn = z.infer<typeof walkInRow>

const select = sql`
  select w.id, w.slot_time, w.starts_at, w.ends_at, w.party_size, w.freed_at,
    (select string_agg(r.name, ', ' order by r.name) from allocation a
      join resource r on r.id = a.resource_id where a.walk_in_id = w.id) as resources,
    p.name as taken_by
  from walk_in w left join venue_person p on p.id = w.person_id`

/** The walk-ins of a venue that begin in a period and still have their place. */
export const selectWalkIns = (
  db: Db,
  venueId: string,
  { from, until }: { from: Date; until: Date },
) =>
  query.rows(db, walkInRow)`
    ${select} where w.venue_id = ${venueId} and w.starts_at >= ${from} and w.starts_at < ${until}
      and w.freed_at is null order by w.starts_at, w.id`

/** One walk-in of a venue, even if its place is free again. */
export const selectOptionalWalkIn = (db: Db, venueId: string, id: string) =>
  query.optionalRow(db, walkInRow)`${select} where w.venue_id = ${venueId} and w.id = ${id}`

/** The largest party that any service of a venue takes; undefined if it has none. */
export const selectLargestParty = (db: Db, venueId: string) =>
  query.optionalValue(db, z.int())`
    select (r.rules ->> 'party_max')::int
    from service o join service_rules r on (r.service_id, r.version) = (o.id, o.rule_version)
    where o.venue_id = ${venueId} and r.rules ? 'party_max' order by 1 desc limit 1`
