import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

type Day = { venueId: string; date: string }

/** Stops bookings at a venue from a local time of a date on; an earlier time prevails. */
export const upsertEarlyClose = (db: Db, { venueId, date, from }: Day & { from: string }) =>
  query.execute(db)`
    insert into early_close as c (venue_id, date, from_clock) values (${venueId}, ${date}, ${from})
    on conflict (venue_id, date) do update
      set from_clock = least(c.from_clock, excluded.from_clock)`

/** Takes bookings again on a date. */
export const deleteEarlyClose = (db: Db, { venueId, date }: Day) =>
  query.execute(db)`delete from early_close where venue_id = ${venueId} and date = ${date}`

const clock = z.string()

/** Since when a venue takes no bookings on a date; undefined if it takes them. */
export const selectEarlyClose = (db: Db, { venueId, date }: Day) =>
  query.optionalValue(db, clock)`
    select from_clock from early_close where venue_id = ${venueId} and date = ${date}`
