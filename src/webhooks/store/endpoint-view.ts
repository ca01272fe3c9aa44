import sql from 'sql-template-tag'
import { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import { isoTime, isoTimeInJson } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { endpoint, MAX_COUNTED, signingKey } from '../schema/endpoints.ts'

const endpointRow = endpoint.extend({
  verified_at: isoTime.nullable(),
  failing_since: isoTime.nullable(),
  wait_until: isoTime.nullable(),
  keys: z.array(
    signingKey.extend({
      valid_from: isoTimeInJson.nullable(),
      valid_until: isoTimeInJson.nullable(),
      created_at: isoTimeInJson,
    }),
  ),
  created_at: isoTime,
  updated_at: isoTime,
})

const BEHIND_MS = MINUTE_MS

/** Whether a delivery has been due for a minute and only we are to blame. */
const isBehind = (at: Date) => {
  const before = new Date(at.getTime() - BEHIND_MS)
  return sql`(e.status = 'active' and e.rate_per_second is null
    and coalesce(e.wait_until < ${before}, true)
    and ${before} > (select due_at from delivery d where d.endpoint_id = e.id
      and d.status = 'pending' and (d.replay_id is not null) = false
      order by (d.replay_id is not null), d.due_at, d.event_number limit 1))`
}

/** The account's endpoints as it sees them, newest first; only one if `id` is given. */
export const selectEndpointViews = (db: Db, accountId: string, at: Date, id: string | null) =>
  query.rows(db, endpointRow)`
    select e.id, e.url, e.description, e.event_types, e.rate_per_second, e.is_fifo as fifo,
      e.status, e.status_reason, e.proved_at is not null as verified, e.verified_at,
      e.failing_since, e.sequence as last_sequence, e.created_at, e.updated_at,
      (select coalesce(json_object_agg(name, '[redacted]'), '{}')
       from unnest(e.header_names) name) as headers,
      case when e.wait_until > ${at} then e.wait_until end as wait_until,
      case when e.wait_until > ${at} then e.wait_reason
        when ${isBehind(at)} then 'network' end as wait_reason,
      json_build_object('pending', case when e.status = 'active' then n.waiting else 0 end,
        'held', case when e.status = 'active' then 0 else n.waiting end,
        'failing', case when e.status = 'active' then n.failing else 0 end,
        'failed', n.failed) as deliveries,
      (select coalesce(json_agg(json_build_object('id', k.id, 'created_at', k.created_at,
           'valid_from', k.valid_from, 'valid_until', k.valid_until,
           'state', case when k.valid_from is null then 'staged'
             when k.valid_until is null then 'current' else 'expiring' end)
           order by k.valid_from desc nulls first, k.id desc), '[]')
       from signing_key k
       where k.endpoint_id = e.id and (k.valid_until is null or k.valid_until > ${at})) as keys
    from endpoint e cross join lateral (select
      (select count(*) from (
         select from delivery d where d.endpoint_id = e.id and d.status in ('pending', 'sending')
         limit ${MAX_COUNTED}) as counted) as waiting,
      (select count(*) from (
         select from delivery d
         where d.endpoint_id = e.id and d.status = 'pending' and d.tries > 0
         limit ${MAX_COUNTED}) as counted) as failing,
      (select count(*) from (
         select from delivery d where d.endpoint_id = e.id and d.status = 'failed'
         limit ${MAX_COUNTED}) as counted) as failed) n
    where e.account_id = ${accountId} and e.deleted_at is null
      and (${id}::uuid is null or e.id = ${id})
    order by e.id desc`
