import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../rules/webhooks.ts'

/**
 * Of the sessions of batches, all of whose statements go by indexes. A plan that was made while tables were small is kept until they are
 * counted again, up to a minute later; by then a burst has made them large.
 */
export const batchSettings = { enable_seqscan: 'off' }

const senderRow = z
  .object({
    status: z.enum(endpointStatuses),
    headers: z.string().nullable(),
    rate_per_second: z.int().nullable(),
    is_fifo: z.boolean(),
    is_verified: z.boolean(),
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
  .transform((row) => ({
    status: row.status,
    headers: row.headers,
    ratePerSecond: row.rate_per_second,
    isFifo: row.is_fifo,
    isVerified: row.is_verified,
    provedAt: row.proved_at,
    failingSince: row.failing_since,
    failedAt: row.failed_at,
    warnedAt: row.warned_at,
    waitUntil: row.wait_until,
    waitReason: row.wait_reason,
    replayAt: row.replay_at,
    keyEndsAt: row.key_ends_at,
    recovered: row.recovered,
    keys: row.keys,
  }))
/** An endpoint as a batch finds it. `headers` and the secrets are sealed; `replayAt` is when the next page of a replay may be taken. */
export type BatchEndpoint = z.infer<typeof senderRow>

const LOST = 'At once: whoever sent it did not live to learn what became of it.'

/** An owner's attempt is over after this long, whatever became of whoever made it. */
const OWNERS_ATTEMPT = `interval '1 minute'`

/**
 * The endpoint of a batch that begins; undefined when it is deleted. What an earlier batch left open, because it did not live to learn
 * of it, is `unknown` and due again, or discarded where the endpoint is deleted; keys that have ended are erased.
 */
export const openBatch = (
  db: Db,
  endpointId: string,
  at: Date,
): Promise<BatchEndpoint | undefined> =>
  queryOptionalRow(
    db,
    senderRow,
    `with owner as materialized (
       select id, deleted_at is not null as is_deleted from endpoint where id = $1 for key share
     ), lost as (
       update attempt a set status = 'unknown',
         next_at = case when is_deleted or cause in ('retry', 'challenge') then next_at else $2 end,
         next_rule = case when is_deleted or cause in ('retry', 'challenge') then next_rule else $3 end
       from owner o where endpoint_id = o.id and status = 'sending'
         and (cause not in ('retry', 'challenge') or started_at < $2::timestamptz - ${OWNERS_ATTEMPT})
       returning delivery_id, cause, is_deleted
     ), due_again as (
       update delivery d set status = case when is_deleted then 'discarded' else 'pending' end,
         due_at = case when not is_deleted then $2::timestamptz end, updated_at = $2
       from lost where d.id = lost.delivery_id and d.status = 'sending' and lost.cause <> 'retry'
       returning d.id
     ), ended as (
       delete from signing_key where endpoint_id = $1 and valid_until <= $2
     )
     select e.status, e.headers, e.rate_per_second, e.is_fifo, e.verified_at is not null as is_verified,
       e.proved_at, e.failing_since, e.failed_at, e.warned_at, e.wait_until, e.wait_reason,
       (select r.next_at from replay r where r.endpoint_id = e.id and r.status = 'running') as replay_at,
       (select min(k.valid_until) from signing_key k where k.endpoint_id = e.id and k.valid_until > $2)
         as key_ends_at,
       (select count(*) from due_again) as recovered,
       (select coalesce(json_agg(json_build_object('id', k.id, 'secret', k.secret)), '[]')
        from signing_key k where k.endpoint_id = e.id) as keys
     from endpoint e where e.id = $1 and e.deleted_at is null`,
    [endpointId, at, LOST],
  )

/** Fails what has not arrived in its time; answers how many. */
export const failOverdue = (db: Db, endpointId: string, at: Date): Promise<number> =>
  execute(
    db,
    `update delivery set status = 'failed', due_at = null, updated_at = $2
     where endpoint_id = $1 and status = 'pending' and give_up_at <= $2`,
    [endpointId, at],
  )

const nextRow = z.object({ next_at: z.date().nullable() })

/** When the endpoint's next delivery is due; of a first-in-first-out endpoint, the first in order. */
export async function selectNextDue(
  db: Db,
  endpointId: string,
  { isFifo }: { isFifo: boolean },
): Promise<Date | null> {
  const { next_at } = await queryRow(db, nextRow, isFifo ? nextInOrder : nextOfAll, [endpointId])
  return next_at
}

const pendingOf = `from delivery where endpoint_id = $1 and status = 'pending'`

const nextInOrder = `select (
  select due_at ${pendingOf} order by (replay_id is not null), event_number limit 1) as next_at`

const nextOfAll = `select least(
  (select due_at ${pendingOf} order by (replay_id is not null), due_at, event_number limit 1),
  (select due_at ${pendingOf} and (replay_id is not null) order by due_at, event_number limit 1)
) as next_at`
