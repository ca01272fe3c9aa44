import sql from 'sql-template-tag'
import { z } from 'zod'
import { nextAttempt } from '../rules/next-attempt.ts'
import {
  attemptStatuses,
  deliveryStatuses,
  endpointStatuses,
  type ShownDeliveryStatus,
} from '../rules/statuses.ts'
import type { Delivery } from '../schema/deliveries.ts'

const lastAttempt = z.object({
  status: z.enum(attemptStatuses),
  started_at: z.coerce.date(),
  ms: z.int().nullable(),
  http_status: z.int().nullable(),
  failure: z.string().nullable(),
})

/** A delivery with its event, its endpoint and its last attempt, as `deliveryColumns` reads it. */
export const deliveryRow = z.object({
  id: z.uuid(),
  event_id: z.uuid(),
  event_number: z.int(),
  event_type: z.string(),
  endpoint_id: z.uuid(),
  endpoint_status: z.enum(endpointStatuses),
  wait_until: z.date().nullable(),
  wait_reason: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  sequence: z.int().nullable(),
  tries: z.int(),
  attempts: z.int(),
  due_at: z.date().nullable(),
  give_up_at: z.date(),
  delivered_at: z.date().nullable(),
  replay_id: z.uuid().nullable(),
  last: lastAttempt.nullable(),
  last_rule: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
})
type DeliveryRow = z.infer<typeof deliveryRow>

/** Columns of delivery `d`, endpoint `e` and `joinedEvent`. */
export const deliveryColumns = sql`d.id, ev.id as event_id, d.event_number, d.event_type,
  d.endpoint_id, e.status as endpoint_status, e.wait_until, e.wait_reason, d.status, d.sequence,
  d.tries, d.attempts, d.due_at, d.give_up_at, d.delivered_at, d.replay_id, d.created_at, d.updated_at,
  (select to_jsonb(a) from (
     select status, started_at, ms, http_status, failure from attempt
     where delivery_id = d.id order by number desc limit 1) a) as last,
  (select next_rule from attempt where delivery_id = d.id and next_rule is not null
   order by number desc limit 1) as last_rule`
export const joinedEvent = sql`join event ev on ev.account_id = d.account_id and ev.number = d.event_number`

/** The delivery as its owner sees it at `now`. */
export function shownDelivery(row: DeliveryRow, now: Date): Delivery {
  const status = shownStatus(row)
  const next = nextAttempt({ ...row, status }, now)
  return {
    id: row.id,
    event: { id: row.event_id, number: row.event_number, type: row.event_type },
    endpoint_id: row.endpoint_id,
    status,
    sequence: row.sequence,
    tries: row.tries,
    attempt_count: row.attempts,
    last_attempt: row.last && { ...row.last, started_at: row.last.started_at.toISOString() },
    next: next && { at: next.at?.toISOString() ?? null, rule: next.rule },
    give_up_at: row.give_up_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    replay_id: row.replay_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const shownStatus = ({ status, endpoint_status }: DeliveryRow): ShownDeliveryStatus =>
  status === 'pending' && endpoint_status !== 'active' ? 'held' : status
