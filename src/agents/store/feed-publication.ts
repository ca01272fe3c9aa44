import { z } from 'zod'
import { type Db, execute, type Pool, queryRow, transaction } from '../../platform/database/sql.ts'
import { publishableUntil } from '../rules/feed.ts'

/** Bookings and opened slots are shown for so long; venues for good. */
const SHOWN_MS = 30 * 24 * 3_600_000
/** A transaction that writes an event has committed by then. */
const LONGEST_COMMIT_MS = 3_600_000
/** Of one transaction, so that the events of a month are no statement that is cancelled, and cancelled again by whoever reads next. */
const HOURS_AT_ONCE_MS = 24 * 3_600_000
/** Venues of one statement, so that an import of a million is published in steps. */
const VENUES_AT_ONCE = 5_000

/**
 * Publishes what may be published at `at`, if there is anything, a day in each transaction. Numbers are given by one publisher at a
 * time, so that a reader who has seen a number will see nothing below it any more.
 */
export async function publishActivity(pool: Pool, at: Date): Promise<void> {
  const until = publishableUntil(at)
  if (!(await isDue(pool, until))) return
  const shownFrom = publishableUntil(new Date(at.getTime() - SHOWN_MS))
  let reached: Date
  do {
    reached = await transaction(pool, async (tx) => {
      const from = later(await lockClock(tx), shownFrom)
      await publishVenues(tx)
      if (from >= until) return from
      const next = new Date(Math.min(from.getTime() + HOURS_AT_ONCE_MS, until.getTime()))
      await publishHours(tx, { from, until: next, at })
      return next
    })
  } while (reached < until)
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const dueRow = z.object({ is_due: z.boolean() })

const isDue = async (db: Db, until: Date): Promise<boolean> =>
  (
    await queryRow(db, dueRow)`
      select published_until < ${until} or exists (select from venue_added) as is_due
        from feed_clock`
  ).is_due

const clockRow = z.object({ published_until: z.date() })

const lockClock = async (tx: Db): Promise<Date> =>
  (await queryRow(tx, clockRow)`select published_until from feed_clock for update`).published_until

const publishVenues = (tx: Db): Promise<number> =>
  execute(tx)`
    with taken as (
      delete from venue_added
      where ctid = any(array(select ctid from venue_added limit ${VENUES_AT_ONCE}))
      returning venue_id, hour
    )
    insert into activity (type, venue_id, hour)
    select 'venue.added', venue_id, hour from taken order by hour, venue_id
    on conflict do nothing`

async function publishHours(
  tx: Db,
  { from, until, at }: { from: Date; until: Date; at: Date },
): Promise<void> {
  const since = new Date(from.getTime() - LONGEST_COMMIT_MS)
  await execute(tx)`
    with opened as (
      delete from slot_opened where hour < ${until} returning venue_id, hour
    ), happened as (
      select 'booking.confirmed' as type, b.venue_id, date_trunc('hour', e.created_at,
        'UTC') as hour
      from event e join booking b on b.id = e.booking_id
      where e.type = 'booking.confirmed' and e.id >= ${firstIdAt(since)}
        and e.created_at < ${until}
      union
      select 'slot.opened', venue_id, hour from opened
    )
    insert into activity (type, venue_id, hour)
    select type, venue_id, hour from happened where hour >= ${new Date(at.getTime() - SHOWN_MS)}
      order by hour, type, venue_id
    on conflict do nothing`
  await execute(tx)`
    delete from activity where type <> 'venue.added'
      and hour < ${new Date(at.getTime() - SHOWN_MS)}`
  await execute(tx)`update feed_clock set published_until = ${until}`
}

/** The least UUIDv7 of that millisecond: event ids are UUIDv7, and the index is on them. */
function firstIdAt(instant: Date): string {
  const ms = instant.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
