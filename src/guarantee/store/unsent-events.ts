import sql from 'sql-template-tag'
import { firstIdAt } from '../../contract/rules/ids.ts'
import { queryRows } from '../../platform/database/sql.ts'
import { WEBHOOK_MS } from '../rules/tariff.ts'
import { candidateRow, type Find, interval, isOpen, secondsBetween } from './candidates.ts'

const WEBHOOK = interval(WEBHOOK_MS)

/** An endpoint that takes everything at once: nothing keeps a delivery to it waiting. */
const isReady = sql`p.status = 'active' and p.deleted_at is null and p.rate_per_second is null
  and p.failing_since is null`

/** Events of bookings that are due and unsent, while nothing at all is sent to the endpoint. */
export const findUnsent: Find = (db, { at, limit }) =>
  queryRows(db, candidateRow)`
    select distinct on (e.booking_id) e.account_id, e.booking_id, v.is_demo, 'unsent' as finding,
      ${secondsBetween(sql`d.due_at`, sql`${at}::timestamptz`)} as seconds,
      d.due_at + ${WEBHOOK} as broken_at
    from endpoint p
    join delivery d on d.endpoint_id = p.id
    join event e on e.account_id = d.account_id and e.number = d.event_number
    join booking b on b.id = e.booking_id
    join account a on a.id = e.account_id
    join venue v on v.id = b.venue_id
    where ${isReady} and d.status = 'pending' and d.attempts = 0
      and (d.replay_id is not null) = false
      and d.due_at < ${at}::timestamptz - ${WEBHOOK}
      and (p.wait_until is null or p.wait_until < ${at}::timestamptz - ${WEBHOOK})
      and p.updated_at < ${at}::timestamptz - ${WEBHOOK}
      and not exists (
        select from attempt t
        where t.endpoint_id = p.id and t.started_at > ${at}::timestamptz - ${WEBHOOK})
      and ${isOpen(sql`e.booking_id`, 'webhook')}
    order by e.booking_id, d.due_at limit ${limit}`

/**
 * Whether the receiver had asked for a pause (Retry-After) that explains attempt `t`. During one
 * only retries are sent, so it began with a request that was in flight with the last of others.
 */
const wasAskedToWait = sql`exists (
        select from (
          select l.started_at from attempt l
          where l.endpoint_id = p.id and l.started_at < t.started_at - interval '5 s'
            and l.cause not in ('retry', 'challenge')
          order by l.started_at desc, l.id desc limit 1) last
        join attempt o on o.endpoint_id = p.id
          and o.started_at between last.started_at - interval '2 minutes' and last.started_at
        where o.http_status in (429, 503) and o.cause not in ('retry', 'challenge')
          and coalesce(o.response_headers ? 'retry-after', true)
          and coalesce(o.next_at, 'infinity') > t.started_at - ${WEBHOOK})`

/**
 * Events that were first sent too late, to an endpoint that had succeeded before, that got nothing
 * in between and that had not asked for that.
 */
export const findSentLate: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    select distinct on (e.booking_id) e.account_id, e.booking_id, v.is_demo,
      'sent_late' as finding,
      ${secondsBetween(sql`d.created_at`, sql`t.started_at`)} as seconds,
      d.created_at + ${WEBHOOK} as broken_at
    from event e
    join delivery d on d.account_id = e.account_id and d.event_number = e.number
    join attempt t on t.delivery_id = d.id and t.number = 1 and t.cause = 'schedule'
    join endpoint p on p.id = d.endpoint_id
    join booking b on b.id = e.booking_id
    join account a on a.id = e.account_id
    join venue v on v.id = b.venue_id
    where e.id >= ${firstIdAt(since)} and ${isReady} and d.replay_id is null
      and p.updated_at < d.created_at and t.started_at > d.created_at + ${WEBHOOK}
      and coalesce((
        select o.status = 'succeeded' and o.started_at < t.started_at - ${WEBHOOK} from attempt o
        where o.endpoint_id = p.id and o.started_at < t.started_at - interval '5 s'
        order by o.started_at desc, o.id desc limit 1), true)
      and not ${wasAskedToWait}
      and ${isOpen(sql`e.booking_id`, 'webhook')}
    order by e.booking_id, d.created_at limit ${limit}`
