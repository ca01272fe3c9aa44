import { z } from 'zod'
import { type Db, queryRows } from './sql.ts'

export const activityTypes = ['booking.confirmed', 'venue.added'] as const

const activityRow = z.object({
  type: z.enum(activityTypes),
  venue_slug: z.string(),
  venue_name: z.string(),
  area: z.string(),
  hour: z.date(),
})
export type ActivityRow = z.infer<typeof activityRow>

/** What a page ends with; holds nothing finer than the hour. */
export type ActivityPosition = { hour: Date; type: string; slug: string }

/**
 * Public activity, newest hour first: one row per venue, kind and hour, so that neither the number nor the moment of
 * bookings shows. Confirmed bookings reach back to `since`.
 */
export async function selectActivity(
  db: Db,
  page: { since: Date; after: ActivityPosition | null; limit: number },
): Promise<ActivityRow[]> {
  const { after } = page
  return queryRows(
    db,
    activityRow,
    `with happened as (
       select 'booking.confirmed' as type, b.venue_id, date_trunc('hour', e.created_at) as hour
       from event e
       join booking b on b.id = e.booking_id
       where e.type = 'booking.confirmed' and e.id >= $1
       union
       select 'venue.added', id, date_trunc('hour', created_at) from venue
     )
     select h.type, v.slug as venue_slug, v.name as venue_name, v.area_slug as area, h.hour
     from happened h
     join venue v on v.id = h.venue_id
     where $2::timestamptz is null or h.hour < $2
       or (h.hour = $2 and (h.type, v.slug) > ($3::text, $4::text))
     order by h.hour desc, h.type, v.slug
     limit $5`,
    [firstIdAt(page.since), after?.hour, after?.type, after?.slug, page.limit],
  )
}

/** The least UUIDv7 of that millisecond: event ids are UUIDv7, and the index is on them. */
function firstIdAt(instant: Date): string {
  const ms = instant.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
