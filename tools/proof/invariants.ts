import { bookingStatuses } from '../../src/base/booking-status.ts'
import { MAX_HOLDS, transitions } from '../../src/bookings/rules/booking.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { bookInvariants } from './books.ts'
import { paymentInvariants } from './payment-invariants.ts'

/** A rule that always holds; `broken` selects the rows that violate it. */
export type Invariant = { name: string; broken: string; values?: readonly unknown[] }

const occupying = `('held', 'pending', 'offered', 'confirmed')`
const allowedTransitions = Object.entries(transitions).flatMap(([from, tos]) =>
  tos.map((to) => `${from}>${to}`),
)
const endEvents = bookingStatuses
  .filter((status) => !['held', 'pending', 'offered', 'confirmed'].includes(status))
  .map((status) => `booking.${status}`)
const statusEvents = bookingStatuses.map((status) => `booking.${status}`)

/** Whether the resource `x` leads a session on the date of `from`, in the area `a`. */
const leadsDuring = (from: string, until: string) => `exists (
  select from jsonb_to_recordset(x.leads) as l (day int, date date, start text, minutes int,
      "except" jsonb)
    cross join lateral (select (${from} at time zone a.timezone)::date as date) d
    cross join lateral (select (d.date + l.start::time) at time zone a.timezone as begins) led
  where (l.date = d.date or l.day = extract(isodow from d.date)
      and not coalesce(l."except" ? d.date::text, false))
    and led.begins < ${until} and ${from} < led.begins + make_interval(mins => l.minutes))`

const bookingInvariants: readonly Invariant[] = [
  {
    name: 'no resource is booked twice at the same time',
    broken: `select a.resource_id, a.booking_id, b.booking_id as other from allocation a
      join allocation b on b.resource_id = a.resource_id and b.during && a.during
        and (b.booking_id, b.during) > (a.booking_id, a.during)
      where a.active and b.active`,
  },
  {
    name: 'nobody who leads a session has a booking then',
    broken: `select x.name, c.booking_id, c.during from allocation c
      join resource x on x.id = c.resource_id join venue v on v.id = c.venue_id
      join area a on a.slug = v.area_slug
      where c.active and ${leadsDuring('lower(c.during)', 'upper(c.during)')}`,
  },
  {
    name: 'no slot is oversold, and its counter matches the places taken',
    broken: `select c.service_id, c.starts_at, c.cap, c.used, t.taken from slot_counter c
      cross join lateral (
        select coalesce(sum(places), 0) as taken from slot_count t
        where t.service_id = c.service_id and t.starts_at = c.starts_at and t.active) t
      where t.taken > c.cap or t.taken <> c.used`,
  },
  {
    name: 'a booking holds inventory exactly while its status occupies it',
    broken: `select b.id, b.status from booking b join service o on o.id = b.service_id
      where (b.status in ${occupying} and o.strategy <> 'on_request')
        <> (exists (select from allocation a where a.booking_id = b.id and a.active)
          or exists (select from slot_count t where t.booking_id = b.id and t.active))`,
  },
  {
    name: 'a booking holds extra inventory exactly while its venue is asked for a change',
    broken: `select b.id, b.status, b.change_phase from booking b
      where (b.change_phase is not distinct from 'asked')
          <> exists (select from booking_change c where c.booking_id = b.id)
        or (b.change_phase is distinct from 'asked'
          and (exists (select from allocation a
              where a.booking_id = b.id and a.active and a.of_change)
            or exists (select from slot_count t
              where t.booking_id = b.id and t.active and t.of_change)))`,
  },
  {
    name: 'no booking stays open past its next action',
    broken: `select id, status, next_action_at from booking
      where status in ('held', 'pending', 'offered') and next_action_at < now()`,
  },
  {
    name: 'every request has an answer',
    broken: 'select booking_id from request where answer is null',
  },
  {
    name: 'a booking that owes a fee has exactly one unreversed accrual, any other has none',
    broken: `select o.id, o.status, o.fee_status, o.owes, o.fees from (
        select b.id, b.status, b.fee_status,
          b.status in ('confirmed', 'completed', 'no_show')
            or (b.status = 'cancelled' and b.cancelled_by in ('guest', 'agent')
              and exists (select from event e
                where e.booking_id = b.id and e.type = 'booking.confirmed')
              -- a confirmed member owes nothing before the whole itinerary is booked
              and (b.group_kind is distinct from 'itinerary'
                or exists (select from fee_entry f where f.booking_id = b.id))
              and exists (select from event e
                left join command c on e.transition_id = 'command:' || c.id
                where e.booking_id = b.id and e.type = 'booking.cancelled'
                  and least(e.created_at, c.created_at) > b.cancel_until)) as owes,
          (select count(*) from fee_entry f where f.booking_id = b.id
            and f.kind = 'accrual' and f.reversed_by is null) as fees
        from booking b) o
      where o.fees <> o.owes::int or (o.fee_status in ('accrued', 'settled')) <> o.owes`,
  },
  {
    name: 'a reversal matches its accrual, and each accrual is reversed at most once',
    broken: `select r.id from fee_entry r left join fee_entry a on a.id = r.reverses
      where r.kind = 'reversal' and (a.id is null or a.reversed_by is distinct from r.id
        or (a.booking_id, a.amount_minor, a.currency) <> (r.booking_id, r.amount_minor,
          r.currency))`,
  },
  {
    name: 'the event numbers of an account have no gaps',
    broken: `select c.account_id, c.last, count(e.number), max(e.number) from event_counter c
      left join event e on e.account_id = c.account_id
      group by c.account_id, c.last
      having count(e.number) <> c.last or count(distinct e.number) <> c.last
        or max(e.number) <> c.last`,
  },
  {
    name: 'a step runs once and emits at most one status event',
    broken: `select booking_id, transition_id from transition
      group by 1, 2 having count(*) > 1
      union all
      select booking_id, transition_id from event where type = any($1)
      group by 1, 2 having count(*) > 1`,
    values: [statusEvents],
  },
  {
    name: 'the status events of a booking follow allowed transitions, up to its current status',
    broken: `with history as (
        select booking_id, substr(type, 9) as status,
          lag(substr(type, 9)) over w as before, lead(type) over w as after
        from event where type = any($1)
        window w as (partition by booking_id order by number)
      )
      select t.booking_id, t.before, t.status, b.status as current
      from history t join booking b on b.id = t.booking_id
      where (t.before is null and t.status <> 'held')
        or (t.before is not null and t.before || '>' || t.status <> all($2))
        or (t.after is null and t.status <> b.status)
      union all
      select id, null, null, status from booking b
      where not exists (select from history h where h.booking_id = b.id)`,
    values: [statusEvents, allowedTransitions],
  },
  {
    name: 'every command has an answer',
    broken: 'select id, booking_id, kind from command where answer is null',
  },
  {
    name: 'an idempotency key belongs to one existing request, command or group',
    broken: `select account_id, key from idempotency_key group by 1, 2 having count(*) > 1
      union all
      select account_id, key from idempotency_key u
      where not exists (select from request r where r.booking_id = u.subject_id)
        and not exists (select from command c where c.id = u.subject_id)
        and not exists (select from booking_group g where g.id = u.subject_id)`,
  },
  {
    name: 'no account exceeds its explicit holds, and its counter matches them',
    broken: `select h.account_id, h.live, t.held from hold_counter h
      cross join lateral (
        select count(*) as held from booking b
        where b.account_id = h.account_id and b.status = 'held' and b.hold_until is not null
          and b.group_id is null
          and not exists (select from waitlist_turn w where w.hold_id = b.id)) t
      where h.live <> t.held or t.held > $1`,
    values: [MAX_HOLDS],
  },
  {
    name: 'no account has ever had more live bookings than it may have',
    // Events are numbered in commit order, so the running total is the count after each commit.
    broken: `with changed as (
        select e.account_id, e.number, case e.type when 'booking.held' then 1 else -1 end as by
        from (select distinct on (booking_id, type = 'booking.held') account_id, number, type
          from event where type = 'booking.held' or type = any($1)
          order by booking_id, type = 'booking.held', number) e
      )
      select c.account_id, l.live as allowed, max(c.live) as had from (
          select account_id, sum(by) over (partition by account_id order by number) as live
          from changed) c
        join account_limit l on l.account_id = c.account_id
      group by 1, 2 having max(c.live) > l.live`,
    values: [endEvents],
  },
  {
    name: 'every group ends and has an answer',
    broken: `select id, kind, status from booking_group
      where next_action_at is not null or answer is null`,
  },
  {
    name: 'at most one alternative is booked, and none stays held',
    broken: `select g.id, g.status, array_agg(b.status) from booking_group g
      join booking b on b.group_id = g.id
      where g.kind = 'any_of'
      group by g.id
      having count(*) filter (where b.status in ('confirmed', 'completed', 'no_show')) > 1
        or bool_or(b.status in ('held', 'pending', 'offered'))`,
  },
  {
    name: 'an itinerary is booked whole with all its fees, or leaves no hold and no charge',
    broken: `select g.id, g.status, m.position, b.status as current, f.fees from booking_group g
      join group_member m on m.group_id = g.id
      left join booking b on b.id = m.booking_id
      cross join lateral (select count(*) as fees from fee_entry f
        where f.booking_id = m.booking_id and f.kind = 'accrual') f
      where g.kind = 'itinerary' and (
        (g.status = 'confirmed' and (b.id is null or f.fees = 0))
        or (g.status in ('failed', 'cancelled') and b.status in ${occupying})
        or (g.status = 'failed' and f.fees > 0))`,
  },
  {
    name: 'no booking belongs to a group that does not list it',
    broken: `select b.id, b.group_id from booking b where b.group_id is not null and not exists (
      select from group_member m where m.group_id = b.group_id and m.booking_id = b.id)`,
  },
  {
    name: 'a hold offered to a waitlist entry stays its own until confirmed or released',
    broken: `select w.id, w.status, b.id as hold, b.status as current from waitlist_turn t
      join waitlist_entry w on w.id = t.entry_id join booking b on b.id = t.hold_id
      where (b.status in ('held', 'pending', 'offered') and w.status <> 'cancelled'
          and (w.status, w.hold_id) is distinct from ('offered', b.id))
        or (w.status = 'offered' and w.hold_id = b.id
          and b.status not in ('held', 'pending', 'offered'))
        or (w.status = 'fulfilled' and w.hold_id = b.id and not exists (select from event e
          where e.booking_id = b.id and e.type = 'booking.confirmed'))`,
  },
  {
    name: 'no waitlist entry without an offer waits for a slot that is free',
    // Slots that a clock released after their start are not offered, so their venues are skipped.
    broken: `select w.id, w.venue_id, w.slot_time, w.party_size from waitlist_entry w
      join venue v on v.id = w.venue_id join area a on a.slug = v.area_slug
      join service o on o.venue_id = v.id
      join service_rules r on r.service_id = o.id and r.version = o.rule_version
      cross join lateral (select w.slot_time at time zone a.timezone as begins,
        (w.slot_time + make_interval(mins => (r.rules #>> '{durations,0,minutes}')::int
            + (r.rules ->> 'buffer_minutes')::int))
          at time zone a.timezone as ends) s
      where w.status = 'watching' and w.queued_at = w.created_at and w.until > now()
        and not exists (select from booking b join transition t on t.booking_id = b.id
          where b.venue_id = w.venue_id and t.at > b.starts_at)
        and case o.strategy when 'pooled' then
          coalesce((select case when one ? 'cancelled' then 0 else (one ->> 'places')::int end
            from jsonb_array_elements(r.rules -> 'sessions') as one
            where one ->> 'date' || 'T' || (one ->> 'start') =
              to_char(w.slot_time, 'YYYY-MM-DD"T"HH24:MI')),
            case when r.rules ? 'sessions' then 0 else (r.rules ->> 'places')::int end)
            - coalesce((select used from slot_counter c
            where c.service_id = o.id and c.starts_at = s.begins), 0) >= w.party_size
        else not exists (
          select from jsonb_to_recordset(r.rules -> 'requires') as q (kind text, per text)
          where (select count(*) from resource x
              where x.venue_id = o.venue_id and (x.can is null or o.id = any(x.can))
                and x.kind = q.kind and not ${leadsDuring('s.begins', 's.ends')} and not exists (
                select from allocation c where c.resource_id = x.id and c.active
                  and c.during && tstzrange(s.begins, s.ends)))
            < case q.per when 'guest' then w.party_size else 1 end)
        end`,
  },
  ...bookInvariants,
]

const invariants: readonly Invariant[] = [...bookingInvariants, ...paymentInvariants]

/** A violated invariant: how many rows, and the first few for debugging. */
export type Violation = { name: string; count: number; rows: unknown[] }

const SHOWN_ROWS = 3

/** Checks every invariant, including any extra ones; empty if all hold. */
export async function findViolations(
  db: Pool,
  more: readonly Invariant[] = [],
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const { name, broken, values = [] } of [...invariants, ...more]) {
    const { rows } = await db.query(broken, [...values])
    if (rows.length > 0)
      violations.push({ name, count: rows.length, rows: rows.slice(0, SHOWN_ROWS) })
  }
  return violations
}
