import sql from 'sql-template-tag'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Records that deliveries settled before this time may be missing. Call it before erasing. */
export const recordErasure = (db: Db, before: Date) =>
  query.execute(db)`
    insert into delivery_erasure (erased_before) values (${before})
    on conflict (is_only) do update
    set erased_before = greatest(delivery_erasure.erased_before, excluded.erased_before)`

/** Settled deliveries; their attempts are erased with them. */
export const settledDeliveries = (before: Date) => {
  const isDue = sql`status not in ('pending', 'sending')
    and ${isInRealTime(sql`delivery.account_id`)}`
  return rowsBefore('delivery', 'updated_at', before, 'id', isDue)
}

/** Challenges: attempts without a delivery. */
export const oldChallenges = (before: Date) => {
  const isDue = sql`delivery_id is null and status <> 'sending'`
  return rowsBefore('attempt', 'started_at', before, 'id', isDue)
}

/** Ended replays that have no deliveries left. */
export const endedReplays = (before: Date) => {
  const isDue = sql`status in ('cancelled', 'completed')
    and not exists (select from delivery d where d.replay_id = replay.id)`
  return rowsBefore('replay', 'updated_at', before, 'id', isDue)
}

/** Deleted endpoints that nothing refers to any longer. */
export const deletedEndpoints = (before: Date) => {
  const isDue = sql`not exists (select from delivery d where d.endpoint_id = endpoint.id)
    and not exists (select from attempt a where a.endpoint_id = endpoint.id)
    and not exists (select from replay r where r.endpoint_id = endpoint.id)
    and not exists (select from signing_key k where k.endpoint_id = endpoint.id)`
  return rowsBefore('endpoint', 'deleted_at', before, 'id', isDue)
}
