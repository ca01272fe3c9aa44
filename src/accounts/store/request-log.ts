import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** A call's details, apart from its caller and its result. */
export type CallDetails = {
  method: string
  /** without the query */
  path: string
  /** the REST route, A2A intent or MCP tool */
  target: string | null
  status: number
  /** why it was refused */
  message: string | null
  /** the booking or group that it concerns */
  subject_id: string | null
} & Partial<CallBodies>

/** Redacted bodies as JSON, with their original lengths. */
export type CallBodies = {
  sent: string
  sent_bytes: number
  is_sent_cut: boolean
  answer: string
  answer_bytes: number
  is_answer_cut: boolean
}

/** A call through one of the doors. `calls` exceeds 1 only for merged refusals. */
export type RequestLogEntry = Partial<CallDetails> & {
  account_id: string
  key_id: string | null
  /** what an access token was issued under */
  grant_id?: string | null
  request_id: string
  at: Date
  door: string
  operation: string
  code: string
  ms: number
  from_agent: string | null
  calls: number
}

/**
 * Logs calls, with their bodies if the account records them, counts them by day and updates the
 * last use of keys and grants. Ignores calls already logged. To avoid deadlocks, locks days in a
 * fixed order and skips keys and grants that another transaction is updating. The commit does not
 * wait for the disk.
 */
export const insertCalls = (db: Db, calls: readonly RequestLogEntry[]) => query.execute(db)`
  with entry as materialized (
    select e.* from json_to_recordset(${JSON.stringify(calls)}::json) as e(
      account_id uuid, key_id uuid, grant_id uuid, request_id uuid, at timestamptz, door text,
      operation text, code text, ms real, from_agent text, calls integer, method text,
      path text, target text, status smallint, message text, subject_id uuid, sent text,
      sent_bytes integer, is_sent_cut boolean, answer text, answer_bytes integer,
      is_answer_cut boolean),
      set_config('synchronous_commit', 'off', true) relaxed
  ), logged as (
    insert into request_log (account_id, at, request_id, key_id, door, operation, code, ms,
      from_agent, calls, method, path, target, status, message, subject_id)
    select account_id, at, request_id, key_id, door, operation, code, ms, from_agent, calls,
      method, path, target, status, message, subject_id
    from entry
    on conflict do nothing
    returning account_id, at, request_id, code, calls
  ), bodies as (
    insert into request_body (account_id, at, request_id, sent, sent_bytes, is_sent_cut, answer,
      answer_bytes, is_answer_cut)
    select account_id, at, request_id, sent, sent_bytes, is_sent_cut, answer, answer_bytes,
      is_answer_cut
    from logged join entry using (account_id, at, request_id)
    where sent is not null
      and exists (select from account a where a.id = account_id and a.records_bodies)
  ), counted as (
    insert into usage_day as u (account_id, day, code, calls)
    select account_id, (at at time zone 'UTC')::date, code, sum(calls) from logged
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, day, code) do update set calls = u.calls + excluded.calls
  ), used as (
    select distinct on (key_id) key_id, at, door from entry
    where key_id is not null order by key_id, at desc
  ), stale as (
    select k.id, u.at, u.door from api_key k join used u on u.key_id = k.id
    where k.last_used_at is null or k.last_used_at < u.at - interval '1 minute'
    for no key update of k skip locked
  ), granted as (
    update oauth_grant g set last_used_at = u.at, last_used_door = u.door
    from (
      select distinct on (grant_id) grant_id, at, door from entry
      where grant_id is not null order by grant_id, at desc
    ) u
    where g.id = u.grant_id
      and (g.last_used_at is null or g.last_used_at < u.at - interval '1 minute')
      and g.id in (
        select id from oauth_grant join entry on grant_id = id for no key update skip locked)
  )
  update api_key k set last_used_at = s.at, last_used_door = s.door from stale s where k.id = s.id`

/** Calls made before a time. */
export const oldCalls = (before: Date) =>
  rowsBefore('request_log', 'at', before, 'account_id, request_id')

/** Daily counts for days before this one (YYYY-MM-DD). */
export const oldCounts = (before: string) =>
  rowsBefore('usage_day', 'day', before, 'account_id, day, code')
