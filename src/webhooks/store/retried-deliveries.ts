import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { giveUpAt } from './outbox.ts'

/** Makes a delivery due now, with a full retry schedule. */
const dueNow = (at: Date) => sql`
  status = 'pending', tries = 0, due_at = ${at}, give_up_at = ${giveUpAt(at)}, updated_at = ${at}`

const ownedRow = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  is_deleted: z.boolean(),
  is_proved: z.boolean(),
})

/** The given deliveries that belong to the account, with the state of their endpoints. */
export const selectOwnDeliveries = (db: Db, accountId: string, ids: readonly string[]) =>
  query.rows(db, ownedRow)`
    select d.id, d.endpoint_id, e.deleted_at is not null as is_deleted,
      e.proved_at is not null as is_proved
    from delivery d join endpoint e on e.id = d.endpoint_id
    where d.account_id = ${accountId} and d.id = any(${ids}::uuid[])`

/** Makes these deliveries of an endpoint due now, whatever their status, unless in flight. */
export const retryThese = (tx: Db, endpointId: string, ids: readonly string[], at: Date) =>
  query.execute(tx)`
    update delivery set ${dueNow(at)}, replay_id = case when status = 'pending' then replay_id end
    where endpoint_id = ${endpointId} and id = any(${ids}::uuid[]) and status <> 'sending'`

/** Reschedules up to `limit` deliveries awaiting a retry to now, oldest events first. */
export const retryFailing = (tx: Db, endpointId: string, limit: number, at: Date) =>
  query.execute(tx)`
    update delivery set ${dueNow(at)}
    where id in (
      select id from delivery
      where endpoint_id = ${endpointId} and status = 'pending' and tries > 0
      order by event_number limit ${limit} for no key update skip locked)
      and status = 'pending'`

/** Ends the endpoint's wait for a probe or for its first event in order. Locks the endpoint. */
export const endOwnWait = (tx: Db, endpointId: string) =>
  query.execute(tx)`
    update endpoint set
      wait_until = case when wait_reason = 'retry_after' then wait_until end,
      wait_reason = case when wait_reason = 'retry_after' then wait_reason end
    where id = ${endpointId}`
