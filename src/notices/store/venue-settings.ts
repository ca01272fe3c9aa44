import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

const quietRow = z
  .object({
    timezone: z.string(),
    quiet_from: z.string().nullable(),
    quiet_until: z.string().nullable(),
  })
  .transform(({ timezone, quiet_from, quiet_until }) => ({
    ...{ timezone, quietFrom: quiet_from, quietUntil: quiet_until },
  }))

/** The quiet hours of a venue as `HH:MM`, and its time zone. */
export const selectQuietHours = (db: Db, venueId: string) =>
  query.row(db, quietRow)`
    select a.timezone, to_char(v.quiet_from, 'HH24:MI') as quiet_from,
      to_char(v.quiet_until, 'HH24:MI') as quiet_until
    from venue v join area a on a.slug = v.area_slug where v.id = ${venueId}`

const listingRow = z
  .object({
    id: z.uuid(),
    timezone: z.string(),
    quiet_from: z.string().nullable(),
    quiet_until: z.string().nullable(),
  })
  .transform(({ id, timezone, quiet_from, quiet_until }) => ({
    ...{ id, timezone, quietFrom: quiet_from, quietUntil: quiet_until },
  }))
/** A venue whose people are due to get the list of tomorrow. */
export type ListingVenue = z.infer<typeof listingRow>

/**
 * The venues, by id, whose time for the list of tomorrow came up to `within` ms ago and that have
 * bookings tomorrow, unless all of their people have the list.
 */
export const selectListingVenues = (
  db: Db,
  { at, within }: { at: Date; within: number },
  { after, limit }: PageOfIds,
) =>
  query.rows(db, listingRow)`
    select v.id, a.timezone, to_char(v.quiet_from, 'HH24:MI') as quiet_from,
      to_char(v.quiet_until, 'HH24:MI') as quiet_until
    from venue v join area a on a.slug = v.area_slug
      cross join lateral (select ${at}::timestamptz at time zone a.timezone as now) l
    where v.list_at is not null and (${after}::uuid is null or v.id > ${after})
      and l.now::time >= v.list_at
      and l.now - (l.now::date + v.list_at) < ${within} * interval '1 ms'
      and exists (select from booking b where b.venue_id = v.id and b.status = 'confirmed'
        and b.slot_time >= l.now::date + 1 and b.slot_time < l.now::date + 2)
      and exists (select from venue_person p where p.venue_id = v.id and p.removed_at is null
        and exists (select from notice_channel c where c.person_id = p.id and c.ended_at is null)
        and not exists (select from notice n where n.person_id = p.id
          and n.day = l.now::date + 1 and (n.ended_at is not null
            or exists (select from notice_attempt t where t.notice_id = n.id))))
    order by v.id limit ${limit}`
