import sql from 'sql-template-tag'
import { firstIdAt } from '../../contract/rules/ids.ts'
import { queryRows } from '../../platform/database/sql.ts'
import { ANSWER_MS, VENUE_TOLERANCE_MS } from '../rules/tariff.ts'
import { candidateRow, type Find, interval, isOpen, secondsBetween } from './candidates.ts'

const ANSWER = interval(ANSWER_MS)
const TOLERANCE = interval(VENUE_TOLERANCE_MS)

/** When the first steps of a request were recorded: its answer, or its venue was asked. */
export const answeredAt = sql`(
  select max(greatest(t.at, time_of_id(e.id)))
  from transition t
  left join event e on e.booking_id = t.booking_id and e.transition_id = t.transition_id
  where t.booking_id = r.booking_id and t.transition_id in ('hold', 'ask', 'confirm'))`

/** Alternatives and itineraries have deadlines of their own. */
const isSingle = sql`not exists (select from group_member m where m.booking_id = r.booking_id)`

/** Requests that nothing has been decided about. */
export const findUnanswered: Find = (db, { at, limit }) =>
  queryRows(db, candidateRow)`
    select r.account_id, r.booking_id, v.is_demo, 'unanswered' as finding,
      ${secondsBetween(sql`r.created_at`, sql`${at}::timestamptz`)} as seconds,
      r.created_at + ${ANSWER} as broken_at
    from request r
    join account a on a.id = r.account_id
    join venue v on v.id = r.venue_id
    left join booking b on b.id = r.booking_id
    where r.answer is null and r.created_at < ${at}::timestamptz - ${ANSWER}
      and (b.id is null or b.status = 'held') and ${isSingle}
      and ${isOpen(sql`r.booking_id`, 'answer')}
    order by r.created_at limit ${limit}`

/** Requests that were answered too late. */
export const findAnsweredLate: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    select r.account_id, r.booking_id, v.is_demo, 'answered_late' as finding,
      ${secondsBetween(sql`r.created_at`, sql`d.at`)} as seconds,
      r.created_at + ${ANSWER} as broken_at
    from request r
    join account a on a.id = r.account_id
    join venue v on v.id = r.venue_id
    cross join lateral (select ${answeredAt} as at) d
    where r.booking_id >= ${firstIdAt(since)} and d.at > r.created_at + ${ANSWER} and ${isSingle}
      and ${isOpen(sql`r.booking_id`, 'answer')}
    order by r.booking_id limit ${limit}`

/** Bookings that still wait for a venue whose time is over. */
export const findVenueOverdue: Find = (db, { at, limit }) =>
  queryRows(db, candidateRow)`
    select b.account_id, b.id as booking_id, v.is_demo, 'venue_overdue' as finding,
      ${secondsBetween(sql`b.answer_by`, sql`${at}::timestamptz`)} as seconds,
      b.answer_by + ${TOLERANCE} as broken_at
    from booking b
    join account a on a.id = b.account_id
    join venue v on v.id = b.venue_id
    where b.status = 'pending' and b.answer_by < ${at}::timestamptz - ${TOLERANCE}
      and b.group_id is null and ${isOpen(sql`b.id`, 'answer')}
    order by b.answer_by limit ${limit}`

/** Bookings that were decided too late after their venue's time was over. */
export const findDecidedLate: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    select b.account_id, b.id as booking_id, v.is_demo, 'decided_late' as finding,
      ${secondsBetween(sql`b.answer_by`, sql`d.at`)} as seconds,
      b.answer_by + ${TOLERANCE} as broken_at
    from event e
    join booking b on b.id = e.booking_id
    join account a on a.id = b.account_id
    join venue v on v.id = b.venue_id
    cross join lateral (select greatest(e.created_at, time_of_id(e.id)) as at) d
    where e.id >= ${firstIdAt(since)}
      and e.type in ('booking.confirmed', 'booking.declined', 'booking.expired')
      and (e.transition_id = 'answer_by' or e.transition_id like 'venue:%')
      and b.confirm_mode <> 'auto' and d.at > b.answer_by + ${TOLERANCE}
      and b.group_id is null and ${isOpen(sql`b.id`, 'answer')}
    order by e.id limit ${limit}`
