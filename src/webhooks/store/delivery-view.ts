import sql from 'sql-template-tag'
import { z } from 'zod'
import { isoTime, isoTimeInJson, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { nextAttempt } from '../rules/next-attempt.ts'
import { endpointStatuses } from '../rules/statuses.ts'
import { type Delivery, delivery } from '../schema/deliveries.ts'

/** A delivery in `deliveryColumns`, with what determines its next attempt. */
export const deliveryRow = delivery.omit({ next: true }).extend({
  last_attempt: delivery.shape.last_attempt
    .unwrap()
    .extend({ started_at: isoTimeInJson })
    .nullable(),
  endpoint_status: z.enum(endpointStatuses),
  due_at: z.date().nullable(),
  wait_until: z.date().nullable(),
  wait_reason: z.string().nullable(),
  last_rule: z.string().nullable(),
  give_up_at: isoTime,
  delivered_at: isoTime.nullable(),
  created_at: isoTime,
  updated_at: isoTime,
})

/** Columns from delivery `d`, endpoint `e` and `joinedEvent`. */
export const deliveryColumns = sql`d.id, d.endpoint_id, d.sequence, d.tries, d.give_up_at,
  d.delivered_at, d.replay_id, d.created_at, d.updated_at, d.due_at, e.wait_until, e.wait_reason,
  json_build_object('id', ev.id, 'number', d.event_number, 'type', d.event_type) as event,
  e.status as endpoint_status, d.attempts as attempt_count,
  case when d.status = 'pending' and e.status <> 'active' then 'held' else d.status end as status,
  (select to_jsonb(a) from (
     select status, started_at, ms, http_status, failure from attempt
     where delivery_id = d.id order by number desc limit 1) a) as last_attempt,
  (select next_rule from attempt where delivery_id = d.id and next_rule is not null
   order by number desc limit 1) as last_rule`
export const joinedEvent = sql`
  join event ev on ev.account_id = d.account_id and ev.number = d.event_number`

/** The delivery as its owner sees it at `now`. */
export function shownDelivery(row: z.infer<typeof deliveryRow>, now: Date): Delivery {
  const next = nextAttempt(row, now)
  return { ...row, next: next && { ...next, at: next.at?.toISOString() ?? null } }
}

const oneRow = deliveryRow.extend({
  body: z.string().nullable(),
  is_deleted: z.boolean(),
  is_proved: z.boolean(),
})

/** A delivery of this account, with its body and its endpoint's state. */
export async function selectOptionalDeliveryOf(db: Db, accountId: string, id: string, now: Date) {
  const row = await query.optionalRow(db, oneRow)`
    select ${deliveryColumns}, d.body, e.deleted_at is not null as is_deleted,
      e.proved_at is not null as is_proved
    from delivery d join endpoint e on e.id = d.endpoint_id ${joinedEvent}
    where d.id = ${id} and d.account_id = ${accountId}`
  return row && { ...row, delivery: shownDelivery(row, now) }
}

/** An event's delivery to an endpoint; null once it is erased. */
export const selectOptionalDeliveryId = async (
  db: Db,
  { accountId, endpointId, eventId }: { accountId: string; endpointId: string; eventId: string },
) =>
  (await query.optionalValue(db, uuid)`
    select d.id from delivery d
    join event e on e.account_id = d.account_id and e.number = d.event_number
    where e.account_id = ${accountId} and e.id = ${eventId} and d.endpoint_id = ${endpointId}`) ??
  null
