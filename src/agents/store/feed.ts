import sql from 'sql-template-tag'
import { z } from 'zod'
import { categories } from '../../base/venue-kinds.ts'
import { int, isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { activity } from '../schema/feed.ts'

const activityRow = activity.extend({ hour: isoTime })

const selectColumns = sql`select f.number::text as id, f.type, f.hour, v.area_slug as area,
    json_build_object('slug', v.slug, 'name', v.name) as venue
  from activity f join venue v on v.id = f.venue_id and not v.is_test`

/** The latest activities, newest first; only those before a number, if given. */
export const selectActivityBefore = (db: Db, before: number | null, limit: number) =>
  query.rows(db, activityRow)`
    ${selectColumns} where ${before}::bigint is null or f.number < ${before}
    order by f.number desc limit ${limit}`

/** The activities published after a number, in order. */
export const selectActivityAfter = (db: Db, after: number, limit: number) =>
  query.rows(db, activityRow)`
    ${selectColumns} where f.number > ${after} order by f.number limit ${limit}`

/** The number of the latest activity; 0 if there is none. */
export const selectLastActivity = (db: Db) =>
  query.value(db, int)`
    select coalesce(max(number), 0) as last from activity`

const bookedRow = z.object({ category: z.enum(categories), area: z.string(), hour: z.date() })
/** A booking in the feed, without its venue, guest or account. */
export type Booked = z.infer<typeof bookedRow>

/** The kind and place of the latest bookings, newest first; the index covers only a few types. */
export const selectLastBooked = (db: Db, limit: number) =>
  query.rows(db, bookedRow)`
    select v.category, a.name as area, f.hour
    from activity f join venue v on v.id = f.venue_id and not v.is_test
    join area a on a.slug = v.area_slug
    where f.type = 'booking.confirmed' and f.type <> 'venue.added'
    order by f.hour desc, f.number desc limit ${limit}`
