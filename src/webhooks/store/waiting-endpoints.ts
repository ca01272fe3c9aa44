import sql from 'sql-template-tag'
import { z } from 'zod'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { timeInPage } from '../../platform/database/columns.ts'
import type { DueRows } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

const endpointRow = z.object({ endpointId: z.uuid(), accountId: z.uuid(), since: timeInPage })

/** Endpoints with work due since `before`; `since` is when the earliest attempt became possible. */
const waiting = (before: Date) => sql`
    select e.id as "endpointId", e.account_id as "accountId",
      coalesce(e.deleted_at, greatest(first.due_at, e.wait_until)) as since
    from endpoint e, lateral (select least(
      (select due_at from delivery where endpoint_id = e.id and status = 'pending'
        order by (replay_id is not null), due_at, event_number limit 1),
      (select due_at from delivery where endpoint_id = e.id and status = 'pending'
        and (replay_id is not null) order by due_at, event_number limit 1),
      (select min(updated_at) from delivery where endpoint_id = e.id and status = 'sending'),
      (select min(next_at) from replay where endpoint_id = e.id and status = 'running')
    ) as due_at) first
    where ${isInRealTime(sql`e.account_id`)}
      and (e.deleted_at < ${before} and e.ended_at is null
        or e.status = 'active' and e.deleted_at is null
          and (e.wait_until is null or e.wait_until < ${before}) and first.due_at < ${before})`

/**
 * A page of active endpoints with a delivery or replay page due since `before`, and of deleted ones
 * whose workflow has not noticed. `since`: when the workflow could first have acted.
 */
export const selectWaitingEndpoints = (db: Db, before: Date, { after, limit }: PageOfIds) =>
  query.rows(db, endpointRow)`
    ${waiting(before)} and (${after}::uuid is null or e.id > ${after}) order by e.id limit ${limit}`

const MAX_ENDPOINTS = 1_000
const MAX_DELIVERIES = 10_000

const lateRow = z.object({ deliveries: z.int(), oldest_ms: z.number().nullable() })

/**
 * The number of overdue deliveries that their receivers are not delaying, up to 10,000, and the
 * delay of the first. An endpoint with a rate limit of its own is never late.
 */
export const readLateDeliveries = (db: Db, at: Date) =>
  query.row(db, lateRow)`
    with late as materialized (
      ${waiting(at)} and e.rate_per_second is null limit ${MAX_ENDPOINTS})
    select (select count(*) from (
        select from late join delivery d on d.endpoint_id = late."endpointId"
        where d.status = 'pending' and d.due_at <= ${at} limit ${MAX_DELIVERIES}) due
      )::int as deliveries,
      (extract(epoch from ${at}::timestamptz - min(since) filter (where isfinite(since))) * 1000
      )::float8 as oldest_ms
    from late`

/**
 * Deliveries held since `before` and due to expire, of one account with a test clock or of all
 * accounts without one. Deliveries being released stay pending.
 */
export const heldSince = (before: Date, at: Date, accountId: string | null): DueRows => ({
  from: 'delivery',
  id: 'id',
  where: sql`status = 'pending' and updated_at < ${before} and endpoint_id = any(array(
    select id from endpoint e where e.status <> 'active' and ${ofAccount(accountId)}))`,
  order: 'endpoint_id, event_number',
  change: (ids) => sql`
    with held as materialized (${ids})
    update delivery d set status = 'expired', due_at = null, updated_at = ${at}
    where d.status = 'pending' and d.updated_at < ${before} and d.id in (select * from held)`,
})

const ofAccount = (accountId: string | null) =>
  accountId === null ? isInRealTime(sql`e.account_id`) : sql`e.account_id = ${accountId}`
