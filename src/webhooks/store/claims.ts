import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { type AttemptCause, attemptCauses } from '../rules/statuses.ts'
import { OWNER_ATTEMPT } from './batches.ts'
import { type ClaimTime, claimStatement } from './claim-statement.ts'
import { validKeyIds } from './signing-keys.ts'

const claimRow = z.object({
  attempt_id: z.uuid(),
  delivery_id: z.uuid(),
  event_id: z.uuid(),
  event_type: z.string(),
  event_number: z.int(),
  is_replayed: z.boolean(),
  number: z.int(),
  cause: z.enum(attemptCauses),
  tries: z.int(),
  give_up_at: z.date(),
  body: z.string(),
  url: z.string(),
  due_at: z.date().nullable(),
  headers: z.string().nullable(),
  proved_at: z.date().nullable(),
  signed_with: z.array(z.uuid()),
  signed_at: z.date(),
})
/**
 * An attempt that is recorded but not yet sent. `number` counts the delivery's attempts; `tries`,
 * the earlier ones in its schedule. `signed_with`: ids of the signing keys, newest first. `url`,
 * sealed `headers` and `proved_at` were read together. Signatures are for `signed_at`, so they can
 * be shown later.
 */
export type DeliveryClaim = z.infer<typeof claimRow>

const overdueRow = z.object({ attempt_id: z.null() }).transform(() => null)

/** Maximum clock difference between the processes that enqueue and those that send. */
const CLOCK_SKEW_MS = 250

const claimOrOverdueRow = z.union([claimRow, overdueRow])

/**
 * Claims up to `limit` due deliveries of an active endpoint, new ones before replayed ones.
 * `overdue` counts those it fails instead. Locks on the endpoint and the deliveries prevent
 * claiming a delivery or using a sequence number twice.
 */
export async function claimDue(
  db: Db,
  endpointId: string,
  time: ClaimTime,
  { limit, isFifo, isProbe }: { limit: number; isFifo: boolean; isProbe: boolean },
): Promise<{ claims: DeliveryClaim[]; overdue: number }> {
  const { at } = time
  const horizon = new Date(at.getTime() + CLOCK_SKEW_MS)
  const probe = isProbe ? ('probe' satisfies AttemptCause) : null
  const notRetried = sql`(d.attempts = 0 or not exists (
      select from attempt a where a.cause = 'retry' and ${isOpenAttempt(at)}))`
  const byUrgency = sql`d.status = 'pending' and d.due_at <= ${horizon} and ${notRetried}
    order by (d.replay_id is not null), d.due_at, d.event_number limit ${limit}`
  // The first delivery in order; none while it awaits its next attempt or another is in flight.
  const inOrder = sql`d.due_at <= ${horizon} and d.id = (
      select f.id from delivery f
      where f.endpoint_id = ${endpointId} and f.status = 'pending'
      order by (f.replay_id is not null), f.event_number limit least(${limit}, 1))
    and not exists (
      select from delivery s where s.endpoint_id = ${endpointId} and s.status = 'sending')
    and d.status = 'pending' and ${notRetried}`
  const rows = await query.rows(db, claimOrOverdueRow)`${claimStatement(
    { endpointId, ...time },
    {
      endpoint: sql`e.status = 'active' and (e.wait_until is null or e.wait_until <= ${horizon})`,
      deliveries: sql`${isFifo ? inOrder : byUrgency} for no key update of d skip locked`,
      isOverdue: sql`d.give_up_at <= ${at}`,
      cause: sql`coalesce(${probe}::text, case when due.event_type = 'endpoint.test' then 'test'
        when due.replay_id is not null then 'replay' else 'schedule' end)`,
      changes: sql`status = 'sending', due_at = null,`,
    },
  )}`
  const claims = rows.filter((row) => row !== null)
  return { claims, overdue: rows.length - claims.length }
}

/**
 * Claims one delivery, by its id or its event's, without changing its status or schedule. Refuses
 * if it is in flight, or if its endpoint is deleted or unverified.
 */
export async function claimForRetry(db: Db, endpointId: string, id: string, time: ClaimTime) {
  const claim = await query.optionalRow(db, claimRow)`${claimStatement(
    { endpointId, ...time },
    {
      endpoint: sql`e.proved_at is not null`,
      deliveries: sql`d.id in (${deliveryIds(endpointId, id)}) and d.status <> 'sending'
        and not exists (select from attempt a where ${isOpenAttempt(time.at)})
        for no key update of d`,
      isOverdue: sql`false`,
      cause: sql`'retry'`,
      changes: empty,
    },
  )}`
  return claim ?? { refused: await claimRefusal(db, endpointId, id, time.present) }
}

/** Whether an attempt `a` of delivery `d` is still in flight. */
const isOpenAttempt = (now: Date) => sql`a.delivery_id = d.id and a.status = 'sending'
        and a.started_at > ${now}::timestamptz - ${OWNER_ATTEMPT}`

/** The delivery with this id, or the delivery of the event with this id. */
const deliveryIds = (endpointId: string, id: string) => sql`
  select id from delivery where endpoint_id = ${endpointId} and id = ${id}
  union all
  select o.id from event v join delivery o
    on o.endpoint_id = ${endpointId} and o.event_number = v.number and o.account_id = v.account_id
  where v.id = ${id}`

async function claimRefusal(db: Db, endpointId: string, id: string, at: Date) {
  const obstacles = z.object({
    is_known: z.boolean(),
    is_proved: z.boolean(),
    has_key: z.boolean(),
  })
  const row = await query.optionalRow(db, obstacles)`
    select exists (${deliveryIds(endpointId, id)}) as is_known,
      e.proved_at is not null as is_proved,
      ${validKeyIds(sql`e.id`, at)} <> '{}' as has_key
    from endpoint e where e.id = ${endpointId} and e.deleted_at is null`
  if (!row) return 'deleted' as const
  if (!row.is_known) return 'unknown' as const
  if (!row.is_proved) return 'unproved' as const
  return row.has_key ? ('busy' as const) : ('no_secret' as const)
}
