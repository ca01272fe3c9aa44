import sql from 'sql-template-tag'
import { z } from 'zod'
import { confirmModes } from '../../base/venue-kinds.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Maximum length of the list, which starts with venues in trouble. */
export const MAX_VENUES = 100

const venueRow = z.object({
  slug: z.string(),
  name: z.string(),
  url: z.string(),
  read_at: z.date().nullable(),
  failure: z.string().nullable(),
  is_late: z.boolean(),
})
export type ConnectedVenue = z.infer<typeof venueRow>

/** Venues with their own system: late ones first, then failing ones, then the rest by name. */
export const selectConnectedVenues = (db: Db, due: Date) =>
  query.rows(db, venueRow)`
    select v.slug, v.name, c.url, c.read_at, c.failure,
      coalesce(c.read_at, c.created_at) < ${due} as is_late
    from connector c join venue v on v.id = c.venue_id
    order by coalesce(c.read_at, c.created_at) >= ${due}, c.failure is null, v.slug
    limit ${MAX_VENUES}`

const detailRow = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  confirm_mode: z.enum(confirmModes),
  area: z.string(),
  timezone: z.string(),
  url: z.string().nullable(),
  read_at: z.date().nullable(),
  failure: z.string().nullable(),
  is_late: z.boolean(),
  live: z.int(),
  pending: z.int(),
})
export type VenueDetail = z.infer<typeof detailRow>

const ahead = (at: Date) => sql`
  from booking b where b.venue_id = v.id and b.starts_at > ${at}::timestamptz - interval '1 day'`

/** A venue with its connector, and its bookings from today on. */
export const selectVenueDetail = (db: Db, slug: string, { due, at }: { due: Date; at: Date }) =>
  query.optionalRow(db, detailRow)`
    select v.id, v.slug, v.name, v.confirm_mode, a.name as area, a.timezone, c.url, c.read_at,
      c.failure, coalesce(coalesce(c.read_at, c.created_at) < ${due}, false) as is_late,
      (select count(*) ${ahead(at)}
        and b.status in ('held', 'pending', 'offered', 'confirmed')) as live,
      (select count(*) ${ahead(at)} and b.status = 'pending') as pending
    from venue v join area a on a.slug = v.area_slug left join connector c on c.venue_id = v.id
    where v.slug = ${slug}`
