import sql from 'sql-template-tag'
import { z } from 'zod'
import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import { toInstantPastGap } from '../../base/local-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type Limits, MAX_COMPLETED, RETURNS_COUNT_MS } from '../rules/limits.ts'

const closedRow = z.object({ reason: z.string().nullable(), is_deleted: z.boolean() })

/** Why an account is closed to new bookings (suspended or deleted); undefined if it is open. */
export async function whyClosed(db: Db, accountId: string): Promise<RefusalData | undefined> {
  const { reason, is_deleted } = await query.row(db, closedRow)`
    select suspended_reason as reason, deleted_at is not null as is_deleted
    from account where id = ${accountId}`
  const why = reason ?? (is_deleted ? 'The account was deleted.' : null)
  if (why === null) return undefined
  return refusalData('account_suspended', undefined, { account_id: accountId, reason: why })
}

/** The slot that an account wants; `moved` is the booking, if any, that would move to it. */
export type WantedSlot = {
  accountId: string
  venueId: string
  venueName: string
  /** local to the venue */
  slotTime: string
  timezone: string
  moved?: { id: string; isSameDay: boolean }
}

const ownRow = z.object({
  isOwn: z.boolean(),
  live: z.int().nullable(),
  perVenueDay: z.int().nullable(),
})

/**
 * An account's limits set by the operator; undefined if it has the usual ones. Unless the account
 * is unlimited, locks the count of its bookings until the transaction ends. This lock comes before
 * every other, to avoid deadlocks.
 */
export async function lockLimits(tx: Db, accountId: string): Promise<Limits | undefined> {
  const { isOwn, live, perVenueDay } = await query.row(tx, ownRow)`
    select l.account_id is not null as "isOwn", l.live, l.per_venue_day as "perVenueDay",
      case when l.account_id is null or l.live is not null or l.per_venue_day is not null
        then pg_advisory_xact_lock(hashtextextended('limits ' || ${accountId}::text, 0))::text end
    from (select) as always left join account_limit l on l.account_id = ${accountId}`
  return isOwn ? { live, perVenueDay } : undefined
}

const loadRow = z.object({ live: z.int(), atVenue: z.int(), completed: z.int() })
export type Load = z.infer<typeof loadRow>

/** False for accounts without limits, whose many bookings need not be counted. */
const isLimited = (accountId: string) => sql`not exists (
  select from account_limit
  where account_id = ${accountId} and live is null and per_venue_day is null)`

/**
 * How many bookings and watches an account has in total and for this slot's venue and day, and how
 * many it has completed. All but the last are 0 for an account without limits.
 */
export const selectLoad = (tx: Db, { accountId, venueId, slotTime, moved }: WantedSlot) =>
  query.row(tx, loadRow)`
    with live as (${liveOf(accountId, moved?.id)})
    select count(*) as live, count(*) filter (where venue_id = ${venueId}
        and slot_time::date = ${slotTime}::timestamp::date) as "atVenue",
      (${completedOf(accountId)}) as completed
    from live where ${isLimited(accountId)}`

/** A watch that has a hold counts only as that hold. */
const liveOf = (accountId: string, movedId?: string) => sql`
  select venue_id, slot_time from booking
  where account_id = ${accountId} and status in ('held', 'pending', 'offered', 'confirmed')
    and id is distinct from ${movedId}::uuid
  union all
  select venue_id, slot_time from waitlist_entry
  where account_id = ${accountId} and status = 'watching'`

const completedOf = (accountId: string) => sql`
  select count(*) from (
    select from booking where account_id = ${accountId} and status = 'completed'
    limit ${MAX_COMPLETED}) as kept`

const returnRow = z.object({
  at: z.date(),
  /** the slot that a booking left, in its venue's time */
  movedFrom: z
    .object({ slotTime: z.string(), timezone: z.string(), minutes: z.number() })
    .nullable(),
})
type ReturnRow = z.output<typeof returnRow>

/**
 * When the account gave back slots at the venue that overlap with this one, newest first; nothing
 * for an account without limits. Moving a booking away also gives its slot back.
 */
export async function selectReturns(
  tx: Db,
  { accountId, venueId }: WantedSlot,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  at: Date,
) {
  // Bookings last at most a day. Late cancellations keep their fee, so they are not counted.
  const earliest = new Date(startsAt.getTime() - DAY_MS)
  const since = new Date(at.getTime() - RETURNS_COUNT_MS)
  const rows = await query.rows(tx, returnRow)`
    select updated_at as at, null::json as "movedFrom" from booking
    where account_id = ${accountId} and venue_id = ${venueId}
      and starts_at > ${earliest} and starts_at < ${endsAt} and ends_at > ${startsAt}
      and updated_at > ${since} and fee_status <> 'accrued'
      and reason_code in ('released', 'hold_expired', 'cancelled_by_agent', 'cancelled_by_guest')
      and ${isLimited(accountId)}
    union all
    select e.created_at, json_build_object('slotTime', e.data -> 'previous' ->> 'slot_time',
      'timezone', a.timezone, 'minutes', extract(epoch from b.ends_at - b.starts_at) / 60)
    from booking b join event e on e.booking_id = b.id and e.type = 'booking.amended'
      join venue v on v.id = b.venue_id join area a on a.slug = v.area_slug
    where b.account_id = ${accountId} and b.venue_id = ${venueId} and b.changes > 0
      and b.starts_at > ${since} and e.created_at > ${since}
      and e.data -> 'previous' ->> 'slot_time' <> e.data -> 'booking' ->> 'slot_time'
      and ${isLimited(accountId)}
    order by at desc`
  const overlaps = ({ slotTime, timezone, minutes }: NonNullable<ReturnRow['movedFrom']>) => {
    const began = toInstantPastGap(timezone, slotTime)
    return began < endsAt && began.getTime() + minutes * MINUTE_MS > startsAt.getTime()
  }
  return rows.filter(({ movedFrom }) => !movedFrom || overlaps(movedFrom)).map(({ at }) => at)
}

const limitRow = z.object({ live: z.int().nullable(), perVenueDay: z.int().nullable() })

/** An account's limits set by the operator; undefined if it has the usual ones. */
export const selectLimits = (db: Db, accountId: string) =>
  query.optionalRow(db, limitRow)`
    select live, per_venue_day as "perVenueDay" from account_limit where account_id = ${accountId}`

const hasRow = z.object({
  live: z.int(),
  completed: z.int(),
  busiest: z.int(),
  venue: z.string().nullable(),
  day: z.string().nullable(),
})

/** An account's current bookings, and the most at one venue on one day, for the operator. */
export const selectWhatItHas = (db: Db, accountId: string) =>
  query.row(db, hasRow)`
    with live as (${liveOf(accountId)}), most as (
      select venue_id, slot_time::date as day, count(*) as live from live
      group by 1, 2 order by 3 desc, 2, 1 limit 1
    )
    select (select count(*) from live) as live, (${completedOf(accountId)}) as completed,
      coalesce(max(m.live), 0) as busiest, max(v.slug) as venue, max(m.day)::text as day
    from most m join venue v on v.id = m.venue_id`

/** Sets an account's own limits. */
export const upsertLimits = (db: Db, accountId: string, { live, perVenueDay }: Limits) =>
  query.execute(db)`
    insert into account_limit (account_id, live, per_venue_day)
    values (${accountId}, ${live}, ${perVenueDay})
    on conflict (account_id) do update
      set live = excluded.live, per_venue_day = excluded.per_venue_day`

/** Restores an account's usual limits. */
export const deleteLimits = (db: Db, accountId: string) =>
  query.execute(db)`delete from account_limit where account_id = ${accountId}`
