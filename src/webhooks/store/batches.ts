import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../rules/statuses.ts'

/**
 * Session settings for batches, whose statements should all use indexes. Otherwise PostgreSQL might
 * keep plans made for small tables for up to a minute while a burst fills them.
 */
export const batchSettings = { enable_seqscan: 'off' }

const batchEndpointRow = z.object({
  status_reason: z.string().nullable(),
  status: z.enum(endpointStatuses),
  url: z.string(),
  limited_as: z.uuid(),
  headers: z.string().nullable(),
  rate_per_second: z.int().nullable(),
  is_fifo: z.boolean(),
  proved_at: z.date().nullable(),
  failing_since: z.date().nullable(),
  failed_at: z.date().nullable(),
  warned_at: z.date().nullable(),
  wait_until: z.date().nullable(),
  wait_reason: z.enum(['breaker', 'retry_after', 'fifo']).nullable(),
  replay_at: z.date().nullable(),
  key_ends_at: z.date().nullable(),
  recovered: z.int(),
  keys: z.array(z.object({ id: z.uuid(), secret: z.string() })),
})
/**
 * An endpoint at the start of a batch. `headers` and secrets are sealed. `recovered`: deliveries
 * left open by an earlier batch. `limited_as`: the account whose share of sockets it uses.
 */
export type BatchEndpoint = z.infer<typeof batchEndpointRow>

const RECOVERED_RULE = 'At once: the sender crashed before recording the outcome.'

/** How long until a retry or a challenge counts as over even if its sender never reports. */
export const OWNER_ATTEMPT = sql`interval '1 minute'`

/**
 * Opens a batch; undefined if the endpoint is deleted. Open attempts of a crashed batch become
 * `unknown`; their deliveries become due again, or are discarded if the endpoint is deleted.
 * Expired keys are erased.
 */
export const openBatch = (db: Db, endpointId: string, at: Date) =>
  query.optionalRow(db, batchEndpointRow)`
    with owner as materialized (
      select id, deleted_at is not null as is_deleted from endpoint where id = ${endpointId}
        for key share
    ), lost as (
      update attempt a set status = 'unknown',
        next_at = case when is_deleted or cause in ('retry', 'challenge') then next_at
          else ${at} end,
        next_rule = case when is_deleted or cause in ('retry', 'challenge') then next_rule
          else ${RECOVERED_RULE} end
      from owner o where endpoint_id = o.id and status = 'sending'
        and (cause not in ('retry', 'challenge')
          or started_at < ${at}::timestamptz - ${OWNER_ATTEMPT})
      returning delivery_id, cause, is_deleted
    ), due_again as (
      update delivery d set status = case when is_deleted then 'discarded' else 'pending' end,
        due_at = case when not is_deleted then ${at}::timestamptz end, updated_at = ${at}
      from lost where d.id = lost.delivery_id and d.status = 'sending' and lost.cause <> 'retry'
      returning d.id
    ), ended as (
      delete from signing_key where endpoint_id = ${endpointId} and valid_until <= ${at}
    )
    select e.status, e.status_reason, e.url, e.headers, e.rate_per_second, e.is_fifo, e.proved_at,
      e.failing_since,
      (select coalesce(a.live_account_id, a.id) from account a where a.id = e.account_id)
        as limited_as,
      e.failed_at, e.warned_at, e.wait_until, e.wait_reason,
      (select r.next_at from replay r where r.endpoint_id = e.id and r.status = 'running')
        as replay_at,
      (select min(k.valid_until) from signing_key k
       where k.endpoint_id = e.id and k.valid_until > ${at}) as key_ends_at,
      (select count(*) from due_again) as recovered,
      (select coalesce(json_agg(json_build_object('id', k.id, 'secret', k.secret)), '[]')
       from signing_key k where k.endpoint_id = e.id) as keys
    from endpoint e where e.id = ${endpointId} and e.deleted_at is null`

/** Records that a deleted endpoint's workflow has ended. */
export const markEnded = (db: Db, endpointId: string, at: Date) =>
  query.execute(db)`
    update endpoint set ended_at = ${at}
    where id = ${endpointId} and deleted_at is not null and ended_at is null`

/** Fails the deliveries that are past their deadline. */
export const failOverdue = (db: Db, endpointId: string, at: Date) =>
  query.execute(db)`
    update delivery set status = 'failed', due_at = null, updated_at = ${at}
    where endpoint_id = ${endpointId} and status = 'pending' and give_up_at <= ${at}`

const nextAt = z.date().nullable()

/** When the endpoint's next delivery is due; for a FIFO endpoint, the first in order. */
export function selectNextDue(db: Db, endpointId: string, isFifo: boolean) {
  const pending = sql`from delivery where endpoint_id = ${endpointId} and status = 'pending'`
  const next = isFifo
    ? sql`(select due_at ${pending} order by (replay_id is not null), event_number limit 1)`
    : sql`least(
        (select due_at ${pending} order by (replay_id is not null), due_at, event_number limit 1),
        (select due_at ${pending} and (replay_id is not null)
         order by due_at, event_number limit 1))`
  return query.value(db, nextAt)`select ${next} as next_at`
}
