import sql from 'sql-template-tag'
import { firstIdAt } from '../../contract/rules/ids.ts'
import { queryRows } from '../../platform/database/sql.ts'
import { candidateRow, type Find, isOpen } from './candidates.ts'

const sold = sql`('confirmed', 'completed', 'no_show')`

/**
 * Confirmed bookings that share a table, room or person with an earlier one, or that a class has no
 * place for. Constraints prevent both: this is how a lost one is noticed.
 */
export const findDoubleSales: Find = (db, { since, limit }) =>
  queryRows(db, candidateRow)`
    with sold as (
      select distinct b.id, b.account_id, b.venue_id, e.created_at
      from event e join booking b on b.id = e.booking_id
      where e.id >= ${firstIdAt(since)} and b.status = 'confirmed'
        and e.type in ('booking.confirmed', 'booking.amended')
    ), found as (
      select s.*, 'overlap' as finding from sold s
      where exists (
        select from allocation m
        join allocation o on o.resource_id = m.resource_id and o.during && m.during
        join booking b on b.id = o.booking_id
        where m.booking_id = s.id and m.active and o.active and o.booking_id < m.booking_id
          and b.status in ${sold})
      union all
      select s.*, 'oversold' from sold s
      where exists (
        select from slot_take m
        join slot_counter c on c.offering_id = m.offering_id and c.starts_at = m.starts_at
        where m.booking_id = s.id and m.active and c.cap < (
          select sum(o.places) from slot_take o join booking b on b.id = o.booking_id
          where o.offering_id = m.offering_id and o.starts_at = m.starts_at and o.active
            and b.status in ${sold} and o.booking_id <= m.booking_id))
    )
    select distinct on (f.id) f.account_id, f.id as booking_id, v.is_demo, f.finding, 0 as seconds,
      f.created_at as broken_at
    from found f
    join account a on a.id = f.account_id
    join venue v on v.id = f.venue_id
    where ${isOpen(sql`f.id`, 'one_sale')}
    order by f.id limit ${limit}`
