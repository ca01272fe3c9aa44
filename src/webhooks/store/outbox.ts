import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { aheadMs, aheadOf, onClock } from '../../platform/database/account-time.ts'
import { afterCommit, type Db, type Pool, query } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import { eventName } from '../rules/event-types.ts'
import { GIVE_UP_MS } from '../rules/retry-schedule.ts'

/** An endpoint that has a new delivery, and its event: `booking.confirmed #7`. */
export type Enqueued = EndpointStart & { event?: string }

/** Receives the deliveries that a committed transaction has enqueued. */
export type NotifyEndpoints = (enqueued: readonly Enqueued[]) => void

const notifiers = new WeakMap<Pool, NotifyEndpoints>()

/** Calls `notify` after commits that enqueued deliveries. The sweep finds any that are missed. */
export const notifyOnCommit = (pool: Pool, notify: NotifyEndpoints) => notifiers.set(pool, notify)

/** The deadline of a delivery enqueued at `at`. */
export const giveUpAt = (at: Date): Date => new Date(at.getTime() + GIVE_UP_MS)

/** Common table expressions that write events. The last is `written` (account_id, number, type). */
type NewEvents = {
  ctes: Sql
  at: Date
  /** deliver only to this endpoint, whatever types it subscribes to */
  onlyEndpointId?: string | undefined
}

const enqueuedRow = z
  .object({
    endpointId: z.uuid(),
    accountId: z.uuid(),
    type: z.string(),
    number: z.int(),
    ahead: aheadMs,
  })
  .transform(({ type, number, ahead, ...start }) => ({
    ...start,
    ...onClock(ahead),
    event: eventName(type, number),
  }))

/**
 * Writes events and, in the same statement, their deliveries to subscribed endpoints. Notifies
 * these endpoints once the transaction commits.
 */
export async function enqueueDeliveries(tx: Db, events: NewEvents): Promise<void> {
  const { ctes, at, onlyEndpointId = null } = events
  const enqueued = await query.rows(tx, enqueuedRow)`
    with ${ctes}
    insert into delivery as d (id, endpoint_id, account_id, event_number, event_type, status,
      due_at, give_up_at, created_at, updated_at)
    select gen_random_uuid(), e.id, w.account_id, w.number, w.type, 'pending', ${at}::timestamptz,
      ${giveUpAt(at)}::timestamptz, ${at}, ${at}
    from written w join endpoint e on e.account_id = w.account_id
    where e.verified_at is not null and e.deleted_at is null
      and coalesce(e.id = ${onlyEndpointId}::uuid,
        e.event_types && array['*', w.type, split_part(w.type, '.', 1) || '.*'])
    returning endpoint_id as "endpointId", account_id as "accountId", event_type as type,
      event_number as number, ${aheadOf(sql`d.account_id`)} as ahead`
  if (enqueued.length === 0) return
  afterCommit(tx, (pool) => notifiers.get(pool)?.(enqueued))
}
