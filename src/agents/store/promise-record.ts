import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { firstIdAt } from '../../base/ids.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import {
  ANSWER_MS,
  type PromiseName,
  RECOVERY_MS,
  VENUE_TOLERANCE_MS,
  WEBHOOK_MS,
} from '../rules/promises.ts'

/** How many of the latest rows to count, which limits the cost of the statements. */
const LATEST = 5_000

const recordRow = z.object({ made: z.int(), broken: z.int(), p95_ms: z.int().nullable() })
export type PromiseCount = z.infer<typeof recordRow>

type Period = { since: Date; at: Date }

const instant = (at: Date): Sql => sql`${at}::timestamptz`
const interval = (ms: number): Sql => sql`make_interval(secs => ${ms / 1_000})`

const counts = sql`count(*)::int as made, (count(*) filter (where is_broken))::int as broken`
const p95 = (from: Sql, to: Sql): Sql => sql`(percentile_cont(0.95) within group (
  order by greatest(0, extract(epoch from (${to}) - (${from})) * 1000)))::int as p95_ms`

const isLive = sql`a.mode = 'live'`
/** When an event was first written, even if its step was repeated after an outage. */
const writtenAt = sql`greatest(e.created_at, time_of_id(e.id))`

/**
 * Requests, with the time of their first recorded step: the answer, or the request to the venue.
 * Alternatives, itineraries and x402 payments are left out because they have their own deadlines.
 */
const answer = ({ since, at }: Period) => sql`
  select ${counts}, ${p95(sql`created_at`, sql`answered_at`)}
  from (
    select r.created_at, d.answered_at,
      coalesce(d.answered_at, ${instant(at)}) > r.created_at + ${interval(ANSWER_MS)}
      or coalesce(v.decided_at > b.answer_by + ${interval(VENUE_TOLERANCE_MS)}, false)
        as is_broken
    from (
      select r.booking_id, r.created_at from request r join account a on a.id = r.account_id
      where ${isLive} and r.booking_id >= ${firstIdAt(since)}
        and r.created_at < ${instant(at)} - ${interval(ANSWER_MS)}
        and not exists (select from group_member m where m.booking_id = r.booking_id)
        and not exists (select from x402_payment p where p.booking_id = r.booking_id)
      order by r.booking_id desc limit ${LATEST}
    ) r
    left join booking b on b.id = r.booking_id and b.confirm_mode <> 'auto'
    cross join lateral (
      select max(greatest(t.at, time_of_id(e.id))) as answered_at
      from transition t
      left join event e on e.booking_id = t.booking_id and e.transition_id = t.transition_id
      where t.booking_id = r.booking_id and t.transition_id in ('hold', 'ask', 'confirm')
    ) d
    cross join lateral (
      select case when b.status = 'pending' then ${instant(at)}
        else min(${writtenAt}) end as decided_at
      from event e
      where e.booking_id = b.id
        and e.type in ('booking.confirmed', 'booking.declined', 'booking.expired')
        and (e.transition_id = 'answer_by' or e.transition_id like 'venue:%')
    ) v
  ) r`

/** Cancellations by venues before the slot started, and what followed. */
const recovery = ({ since, at }: Period) => sql`
  select ${counts}, ${p95(sql`received_at`, sql`recovered_at`)}
  from (
    select s.received_at, d.recovered_at,
      coalesce(d.recovered_at, ${instant(at)}) > s.received_at + ${interval(RECOVERY_MS)}
      or coalesce(not d.has_any, false) as is_broken
    from venue_response s
    join booking b on b.id = s.booking_id
    join account a on a.id = b.account_id
    left join lateral (
      select ${writtenAt} as recovered_at,
        coalesce(jsonb_array_length(e.data -> 'alternatives'), 0) > 0 as has_any
      from event e
      where e.booking_id = b.id and e.transition_id = 'venue:' || s.id
        and e.type = 'booking.cancelled'
    ) d on true
    where s.status = 'cancelled' and s.received_at >= ${since} and ${isLive}
      and b.starts_at > s.received_at
      and (d.recovered_at is not null or s.effect is null and b.status = 'confirmed')
    order by s.received_at desc limit ${LATEST}
  ) s`

/**
 * Booking events and their first attempt, at endpoints without delays, which means no recent
 * failure (after which the receiver may have asked for a pause) and no backlog in progress.
 */
const webhook = ({ since, at }: Period) => sql`
  select ${counts}, ${p95(sql`created_at`, sql`sent_at`)}
  from (
    select d.created_at, s.sent_at,
      case when t.started_at is null
        then d.attempts = 0 and d.status = 'pending'
          and d.due_at < ${instant(at)} - ${interval(WEBHOOK_MS)}
        else t.started_at > d.created_at + ${interval(WEBHOOK_MS)} end
      and coalesce(p.wait_until < ${instant(at)} - ${interval(WEBHOOK_MS)}, true)
      and coalesce(p.updated_at < d.created_at, true)
      and not exists (
        select from attempt o
        where o.endpoint_id = p.id and o.started_at < s.sent_at - interval '5 s'
          and (o.started_at > s.sent_at - ${interval(WEBHOOK_MS)}
            or o.status <> 'succeeded' and o.started_at > d.created_at - interval '10 minutes')
      ) as is_broken
    from (
      select e.account_id, e.number, e.booking_id
      from event e join account a on a.id = e.account_id
      where e.id >= ${firstIdAt(since)} and e.booking_id is not null and ${isLive}
      order by e.id desc limit ${LATEST}
    ) e
    join delivery d on d.account_id = e.account_id and d.event_number = e.number
    join endpoint p on p.id = d.endpoint_id
    left join attempt t on t.delivery_id = d.id and t.number = 1 and t.cause = 'schedule'
    cross join lateral (select coalesce(t.started_at, ${instant(at)}) as sent_at) s
    where p.status = 'active' and p.deleted_at is null and p.rate_per_second is null
      and p.failing_since is null and d.replay_id is null
      and (t.started_at is not null or d.due_at < ${instant(at)} - ${interval(WEBHOOK_MS)})
  ) d`

const sold = sql`('confirmed', 'completed', 'no_show')`

/**
 * Confirmed bookings that share a table, room or person with an earlier booking, or overfill a
 * class. Constraints prevent both; this check notices if a constraint is missing.
 */
const oneSale = ({ since }: Period) => sql`
  select ${counts}, null::int as p95_ms
  from (
    select exists (
        select from allocation m
        join allocation o on o.resource_id = m.resource_id and o.during && m.during
        join booking other on other.id = o.booking_id
        where m.booking_id = b.id and m.active and o.active and o.booking_id < m.booking_id
          and other.status in ${sold})
      or exists (
        select from slot_count m
        join slot_counter c on c.service_id = m.service_id and c.starts_at = m.starts_at
        where m.booking_id = b.id and m.active and c.cap < (
          select sum(o.places) from slot_count o join booking other on other.id = o.booking_id
          where o.service_id = m.service_id and o.starts_at = m.starts_at and o.active
            and other.status in ${sold} and o.booking_id <= m.booking_id)) as is_broken
    from (
      select b.id from booking b join account a on a.id = b.account_id
      where b.id >= ${firstIdAt(since)} and b.status in ${sold} and ${isLive}
      order by b.id desc limit ${LATEST}
    ) b
  ) b`

const statements: Record<PromiseName, (period: Period) => Sql> = {
  answer,
  recovery,
  webhook,
  one_sale: oneSale,
}

/** How often a promise was made and broken in the latest 5,000 rows of a period. */
export const selectPromiseCount = (db: Db, promise: PromiseName, period: Period) =>
  query.row(db, recordRow)`${statements[promise](period)}`
