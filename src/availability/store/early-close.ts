import { z } from 'zod'
import { addDays, dateOf } from '../../base/local-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'

type Day = { venueId: string; date: string }
/** `from`: a local time, or null to take bookings again; `personId`: who pressed it, if known. */
type Press = Day & { from: string | null; personId: string | null; at: Date }

/** How long what was closed early stays recorded. */
const KEPT_DAYS = 90

/**
 * Stops bookings at a venue from a local time of a date on, or takes them again. Of two closings,
 * the earlier time prevails. Changes nothing if a later press has come before this one.
 */
export async function upsertEarlyClose(tx: Db, { venueId, date, from, personId, at }: Press) {
  await query.execute(tx)`
    delete from early_close
    where venue_id = ${venueId} and date < ${addDays(dateOf(at.toISOString()), -KEPT_DAYS)}`
  await query.execute(tx)`
    insert into early_close as c (venue_id, date, from_clock, pressed_at, person_id)
    values (${venueId}, ${date}, ${from}, ${at}, ${personId})
    on conflict (venue_id, date) do update
      set from_clock = case when excluded.from_clock is not null
          then least(c.from_clock, excluded.from_clock) end,
        pressed_at = excluded.pressed_at, person_id = excluded.person_id
      where c.pressed_at < excluded.pressed_at`
}

const closeRow = z.object({ from_clock: z.string(), closed_by: z.string().nullable() })

/** Since when a venue takes no bookings on a date, and who said so; undefined if it takes them. */
export const selectEarlyClose = (db: Db, { venueId, date }: Day) =>
  query.optionalRow(db, closeRow)`
    select c.from_clock, p.name as closed_by
    from early_close c left join venue_person p on p.id = c.person_id
    where c.venue_id = ${venueId} and c.date = ${date} and c.from_clock is not null`
