import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const MAX_VENUES = 100

const withoutChannelRow = z.object({ slug: z.string(), name: z.string(), people: z.int() })

/**
 * Venues whose people confirm although no channel tells them of a request, at most 100; with a
 * slug, that venue if it is one of them.
 */
export const selectVenuesWithoutChannel = (db: Db, slug: string | null = null) =>
  query.rows(db, withoutChannelRow)`
    select v.slug, v.name, (select count(*)::integer from venue_person p
      where p.venue_id = v.id and p.removed_at is null) as people
    from venue v
    where v.confirm_mode = 'request' and v.is_test = false and (${slug}::text is null
      or v.slug = ${slug}) and not exists (
        select from venue_person p join notice_channel c on c.person_id = p.id
        where p.venue_id = v.id and p.removed_at is null and c.ended_at is null)
    order by v.slug limit ${MAX_VENUES}`
