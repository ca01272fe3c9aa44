import { z } from 'zod'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import { type Db, query } from '../../platform/database/sql.ts'

type Freed = { bookingId: string; partySize: number; freed: readonly FreedSpan[]; at: Date }

const placeRow = z.object({ place: z.int() })

/**
 * The freed spans after `at` that previously had nothing left for such a party: no table, room or
 * therapist, or no place. Excludes inventory that has been taken again or offered to the waitlist.
 */
export async function selectOpenedSpans(tx: Db, { bookingId, partySize, freed, at }: Freed) {
  const spans = JSON.stringify(freed.map((span, place) => ({ ...span, place })))
  const places = await query.rows(tx, placeRow)`
    with freed as (
      select place, "venueId" as venue_id, "serviceId" as service_id, "from", until,
        "resourceIds" as resource_ids, places
      from jsonb_to_recordset(${spans}) as f (place integer, "venueId" uuid, "serviceId" uuid,
        "from" timestamptz, until timestamptz, "resourceIds" uuid[], places integer)
      where "from" > ${at}
    ), busy as materialized (
      select f.place, a.resource_id from freed f
      join allocation a on a.venue_id = f.venue_id and a.active
        and upper(a.during) > f.from and lower(a.during) > f.from - interval '1 day'
        and lower(a.during) < f.until
    ), left_over as (
      select f.place, r.kind, r.can, r.party_min, r.party_max,
        r.id = any(f.resource_ids) as is_freed
      from freed f
      join resource r on r.venue_id = f.venue_id and r.retired_at is null
      where cardinality(f.resource_ids) > 0
        and (f.place, r.id) not in (select place, resource_id from busy)
    )
    select l.place from left_over l
    where l.is_freed and not exists (
      select from left_over o where o.place = l.place and not o.is_freed and o.kind = l.kind
        and (o.can is null or l.can is null or o.can && l.can)
        and case when ${partySize} between l.party_min and l.party_max then ${partySize}
          else l.party_max end between o.party_min and o.party_max)
    union
    select f.place from freed f
    join slot_counter c on c.service_id = f.service_id and c.starts_at = f.from
    where f.places > 0 and c.used < c.cap and c.used + f.places >= c.cap + coalesce(
      (select sum(t.places) from slot_count t where t.booking_id = ${bookingId} and t.active
         and t.service_id = f.service_id and t.starts_at = f.from), 0)`
  return freed.filter((_, index) => places.some(({ place }) => place === index))
}

/** Records that a full slot is bookable again; the feed reports it once the hour is over. */
export const insertOpenedSlot = (tx: Db, venueId: string, at: Date) =>
  query.execute(tx)`
    insert into unpublished_slot (venue_id, hour)
    values (${venueId}, date_trunc('hour', ${at}::timestamptz, 'UTC'))`
