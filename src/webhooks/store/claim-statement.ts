import sql, { type Sql } from 'sql-template-tag'
import { type OnClock, timeOf } from '../../base/account-time.ts'
import { validKeyIds } from './signing-keys.ts'

/**
 * `at` is workflow time and decides what is due; `present` decides which keys sign. The signed time
 * is `wall`, even on a test clock, because receivers compare it with their own clocks.
 */
export type ClaimTime = { at: Date; present: Date; wall: Date }

/** The times used in a claim for an account. */
export const claimTime = (account: OnClock, at: Date): ClaimTime => ({
  at,
  present: timeOf(account),
  wall: new Date(),
})

type Common = ClaimTime & { endpointId: string }

/** What differs between the kinds of claims, as SQL. */
type ClaimKind = {
  /** condition on the endpoint `e` */
  endpoint: Sql
  /** condition on the deliveries `d`, with their order, limit and lock */
  deliveries: Sql
  /** whether delivery `d` is past its deadline */
  isOverdue: Sql
  /** the cause of an attempt, derived from `due` */
  cause: Sql
  /** changes to the delivery, apart from its attempt count */
  changes: Sql
}

/**
 * A single statement from due deliveries to recorded attempts, so that a crash leaves both or
 * neither. A delivery gets its sequence number and body with its first attempt and keeps them; the
 * body is text around the event's own JSON. Two claims of a delivery cannot both record an attempt:
 * the constraint `attempt_once` makes the second fail.
 */
export const claimStatement = (
  { endpointId, at: now, present, wall }: Common,
  kind: ClaimKind,
) => sql`
  with target as materialized (
    -- the endpoint, locked, with the keys that sign
    select e.id, e.account_id, e.url, e.headers, e.proved_at, e.sequence,
      ${validKeyIds(sql`e.id`, present)} as keys,
      array(select k.id from signing_key k where k.endpoint_id = e.id and k.valid_from is null)
        as staged
    from endpoint e where e.id = ${endpointId} and e.deleted_at is null and ${kind.endpoint}
    for no key update
  ), due as materialized (
    -- the deliveries, locked
    select d.id, d.event_number, d.event_type, d.replay_id, d.sequence, d.body, d.due_at,
      ${kind.isOverdue} as is_overdue
    from delivery d
    where d.endpoint_id = ${endpointId} and exists (select from target where keys <> '{}')
      and ${kind.deliveries}
  ), failed as (
    update delivery d set status = 'failed', due_at = null, updated_at = ${now}
    from due where d.id = due.id and due.is_overdue
  ), first_time as (
    -- those without a sequence number get the next ones, in the order of events
    select id, row_number() over (order by event_number) as nth
    from due where sequence is null and not is_overdue
  ), counted as (
    update endpoint set sequence = sequence + (select count(*) from first_time)
    where id = ${endpointId} and exists (select from first_time)
  ), request as (
    -- what each attempt sends
    select due.id, v.id as event_id, target.url, target.headers, target.proved_at,
      due.event_number, ${kind.cause} as cause,
      case when due.event_type = 'endpoint.test' then target.staged || target.keys
        else target.keys end as signed_with,
      coalesce(due.sequence, target.sequence + first_time.nth) as sequence,
      coalesce(due.body, '{"id":"' || v.id || '","type":"' || v.type || '","timestamp":"' ||
        to_char(v.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
        '","sequence":' || (target.sequence + first_time.nth) || ',"data":' || v.data || '}')
        as body
    from due cross join target left join first_time on first_time.id = due.id
      join event v on v.account_id = target.account_id and v.number = due.event_number
    where not due.is_overdue
  ), claimed as (
    update delivery d set ${kind.changes} sequence = request.sequence, body = request.body,
      attempts = d.attempts + 1, updated_at = ${now}
    from request where d.id = request.id
    returning d.id, d.attempts, d.tries, d.give_up_at, d.body
  ), recorded as (
    insert into attempt (id, delivery_id, endpoint_id, number, cause, status, started_at, url,
      signed_with, signed_at)
    select gen_random_uuid(), request.id, ${endpointId}, claimed.attempts, request.cause, 'sending',
      ${now}, request.url, request.signed_with, ${wall}
    from request join claimed on claimed.id = request.id
    returning id, delivery_id, number, cause, url, signed_with, signed_at
  )
  -- a row without an attempt is an overdue delivery
  select a.id as attempt_id, a.delivery_id, request.event_id, due.event_type, due.event_number,
    due.replay_id is not null as is_replayed, a.number, a.cause, c.tries, c.give_up_at, c.body,
    a.url, due.due_at, request.headers, request.proved_at, a.signed_with, a.signed_at
  from due left join recorded a on a.delivery_id = due.id left join claimed c on c.id = due.id
    left join request on request.id = due.id
  order by due.event_number`
