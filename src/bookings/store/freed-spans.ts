import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const spanRow = z.object({
  venueId: z.uuid(),
  /** present for pooled places only, because resources serve all services of the venue */
  serviceId: z.uuid().nullable(),
  from: z.date(),
  until: z.date(),
  resourceIds: z.array(z.uuid()),
  places: z.int(),
})
/** A period, with buffer, in which a booking occupies resources or places in a pooled slot. */
export type FreedSpan = z.output<typeof spanRow>

/** The spans ending after `at` that a booking occupies or has just released. */
export const selectSpansOf = (db: Db, bookingId: string, at: Date) =>
  query.rows(db, spanRow)`
    select b.venue_id as "venueId", f.* from (
      select null::uuid as "serviceId", lower(during) as from, upper(during) as until,
        array_agg(resource_id) as "resourceIds", 0 as places
      from allocation where booking_id = ${bookingId} group by during
      union all
      select service_id, starts_at, starts_at + interval '1 second', '{}', sum(places)::integer
      from slot_count where booking_id = ${bookingId} group by service_id, starts_at
    ) f join booking b on b.id = ${bookingId}
    where f.until > ${at}`
