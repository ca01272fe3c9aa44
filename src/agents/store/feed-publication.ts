import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import { firstIdAt } from '../../base/ids.ts'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, type Pool, query, transaction } from '../../platform/database/sql.ts'
import { publishableUntil } from '../rules/feed.ts'

/** How long bookings and opened slots stay in the feed; venues stay forever. */
const SHOWN_MS = 30 * DAY_MS
/** The maximum duration of a transaction that writes an event. */
const MAX_COMMIT_MS = HOUR_MS
/** The period covered by one transaction, since a month could exceed the statement timeout. */
const STEP_MS = DAY_MS
/** Venues per statement; a million imported venues are published in many statements. */
const VENUES_PER_STEP = 5_000

const instant = z.date()

/**
 * Publishes the activities due at `at`, one day per transaction. Only one publisher assigns numbers
 * at a time, so no activity appears below one already read.
 */
export async function publishActivity(pool: Pool, at: Date): Promise<void> {
  const until = publishableUntil(at)
  const isDue = await query.value(pool, boolean)`
    select published_until < ${until} or exists (select from unpublished_venue) as is_due
    from feed_clock`
  if (!isDue) return
  const shownFrom = publishableUntil(new Date(at.getTime() - SHOWN_MS))
  let reached: Date
  do {
    reached = await transaction(pool, async (tx) => {
      const published = await query.value(tx, instant)`
        select published_until from feed_clock for update`
      const from = published > shownFrom ? published : shownFrom
      await publishVenues(tx)
      if (from >= until) return from
      const next = new Date(Math.min(from.getTime() + STEP_MS, until.getTime()))
      await publishHours(tx, from, next, new Date(at.getTime() - SHOWN_MS))
      return next
    })
  } while (reached < until)
}

const publishVenues = (tx: Db) =>
  query.execute(tx)`
    with taken as (
      delete from unpublished_venue
      where ctid = any(array(select ctid from unpublished_venue limit ${VENUES_PER_STEP}))
      returning venue_id, hour
    )
    insert into activity (type, venue_id, hour)
    select 'venue.added', venue_id, hour from taken order by hour, venue_id
    on conflict do nothing`

async function publishHours(tx: Db, from: Date, until: Date, shownFrom: Date): Promise<void> {
  const since = new Date(from.getTime() - MAX_COMMIT_MS)
  await query.execute(tx)`
    with opened as (
      delete from unpublished_slot where hour < ${until} returning venue_id, hour
    ), happened as (
      select 'booking.confirmed' as type, b.venue_id,
        date_trunc('hour', e.created_at, 'UTC') as hour
      from event e join booking b on b.id = e.booking_id
      where e.type = 'booking.confirmed' and e.id >= ${firstIdAt(since)}
        and e.created_at < ${until}
      union
      select 'slot.opened', venue_id, hour from opened
    )
    insert into activity (type, venue_id, hour)
    select type, venue_id, hour from happened h where hour >= ${shownFrom}
      and not exists (select from venue v where v.id = h.venue_id and v.is_test)
    order by hour, type, venue_id
    on conflict do nothing`
  await query.execute(tx)`
    delete from activity where type <> 'venue.added' and hour < ${shownFrom}`
  await query.execute(tx)`update feed_clock set published_until = ${until}`
}
