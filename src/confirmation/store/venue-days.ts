import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { Span } from './venue-bookings.ts'

const dayRow = z.object({ date: z.string(), guests: z.int() })

/** How many guests a venue expects, or has had, on each local date of a period. */
export const selectGuestsByDay = (db: Db, venueId: string, { from, until }: Span) =>
  query.rows(db, dayRow)`
    select slot_time::date::text as date, sum(party_size)::int as guests from (
      select slot_time, party_size from booking
      where venue_id = ${venueId} and starts_at >= ${from} and starts_at < ${until}
        and status in ('pending', 'offered', 'confirmed', 'completed')
      union all
      select slot_time, party_size from walk_in
      where venue_id = ${venueId} and starts_at >= ${from} and starts_at < ${until}
        and freed_at is null) visit
    group by 1 order by 1`
