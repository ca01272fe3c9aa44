import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const spanRow = z
  .object({
    venue_id: z.uuid(),
    offering_id: z.uuid(),
    from: z.date(),
    until: z.date(),
    resource_ids: z.array(z.uuid()),
    places: z.int(),
  })
  .transform(({ venue_id, offering_id, resource_ids, ...row }) => ({
    venueId: venue_id,
    offeringId: offering_id,
    resourceIds: resource_ids,
    ...row,
  }))
/**
 * A span of time, buffer included, in which a booking has resources, or places of a pooled slot.
 */
export type FreedSpan = z.output<typeof spanRow>

/**
 * The spans that a booking occupies, or has just released; those that are over by `at` are left
 * out.
 */
export const selectSpansOf = (db: Db, bookingId: string, at: Date): Promise<FreedSpan[]> =>
  queryRows(db, spanRow)`
    select b.venue_id, f.* from (
      select offering_id, lower(during) as from, upper(during) as until,
        array_agg(resource_id) as resource_ids, 0 as places
      from allocation where booking_id = ${bookingId} group by offering_id, during
      union all
      select offering_id, starts_at, starts_at + interval '1 second', '{}', sum(places)::integer
      from slot_take where booking_id = ${bookingId} group by offering_id, starts_at
    ) f join booking b on b.id = ${bookingId}
    where f.until > ${at}`
