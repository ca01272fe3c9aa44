import sql from 'sql-template-tag'
import { firstIdAt } from '../../contract/rules/ids.ts'
import { queryRows } from '../../platform/database/sql.ts'
import { RECOVERY_MS } from '../rules/tariff.ts'
import { candidateRow, type Find, interval, isOpen, secondsBetween } from './candidates.ts'

const RECOVERY = interval(RECOVERY_MS)

/** Bookings that their venue cancelled: without alternatives, or with alternatives too late. */
export const findUnrecovered: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    select b.account_id, b.id as booking_id, v.is_demo, d.at as broken_at,
      case when d.has_any then 'recovered_late' else 'no_alternatives' end as finding,
      coalesce(${secondsBetween(sql`s.received_at`, sql`d.at`)}, 0) as seconds
    from event e
    join booking b on b.id = e.booking_id
    join account a on a.id = b.account_id
    join venue v on v.id = b.venue_id
    left join venue_statement s on s.booking_id = b.id and e.transition_id = 'venue:' || s.id
    cross join lateral (select greatest(e.created_at, time_of_id(e.id)) as at,
      coalesce(jsonb_array_length(e.data -> 'alternatives'), 0) > 0 as has_any) d
    where e.id >= ${firstIdAt(since)} and e.type = 'booking.cancelled'
      and b.reason_code = 'venue_cancelled' and b.starts_at > e.created_at
      and (not d.has_any or d.at > s.received_at + ${RECOVERY})
      and ${isOpen(sql`b.id`, 'recovery')}
    order by e.id limit ${limit}`

/** Cancellations by venues that are stored and have had no effect. */
export const findNotRecovered: Find = (db, { at, limit }) =>
  queryRows(db, candidateRow)`
    select b.account_id, b.id as booking_id, v.is_demo, 'not_recovered' as finding,
      ${secondsBetween(sql`s.received_at`, sql`${at}::timestamptz`)} as seconds,
      s.received_at + ${RECOVERY} as broken_at
    from venue_statement s
    join booking b on b.id = s.booking_id
    join account a on a.id = b.account_id
    join venue v on v.id = b.venue_id
    where s.effect is null and s.status = 'cancelled' and b.status = 'confirmed'
      and s.received_at < ${at}::timestamptz - ${RECOVERY}
      and ${isOpen(sql`b.id`, 'recovery')}
    order by s.received_at limit ${limit}`

/** Requests that a silent venue ended, and whose refusal names nothing else. */
export const findSilentVenues: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    select b.account_id, b.id as booking_id, v.is_demo, 'silent_venue' as finding, 0 as seconds,
      e.created_at as broken_at
    from event e
    join booking b on b.id = e.booking_id
    join request r on r.booking_id = b.id
    join account a on a.id = b.account_id
    join venue v on v.id = b.venue_id
    where e.id >= ${firstIdAt(since)} and e.type = 'booking.expired'
      and b.reason_code = 'venue_no_answer' and b.group_id is null
      and b.starts_at > e.created_at
      and not exists (
        select from (
          select r.answer
          union all
          select c.answer from command c where c.booking_id = b.id and c.kind = 'confirm'
        ) n where jsonb_array_length(n.answer #> '{refusal,facts,alternatives}') > 0)
      and ${isOpen(sql`b.id`, 'recovery')}
    order by e.id limit ${limit}`
