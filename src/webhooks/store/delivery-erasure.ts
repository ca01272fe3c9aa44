import sql from 'sql-template-tag'
import type { Shard } from '../../base/shards.ts'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { rowsBefore } from '../../platform/database/erase-through.ts'
import { inShard } from '../../platform/database/in-shard.ts'
import { type Db, execute } from '../../platform/database/sql.ts'

/** Erases what is older than this time, for the endpoints of a shard. */
export type Old = { before: Date; shard: Shard }

/** Records that deliveries settled before this time may be missing. Call it before erasing. */
export const recordErasure = (db: Db, before: Date) =>
  execute(db)`
    insert into delivery_erasure (erased_before) values (${before})
    on conflict (is_only) do update
    set erased_before = greatest(delivery_erasure.erased_before, excluded.erased_before)`

/** Settled deliveries; their attempts are erased with them. */
export const settledDeliveries = ({ before, shard }: Old) => {
  const isDue = sql`status not in ('pending', 'sending') and ${inShard(sql`endpoint_id`, shard)}
    and ${isInRealTime(sql`delivery.account_id`)}`
  return rowsBefore('delivery', 'updated_at', before, 'id', isDue)
}

/** Challenges: attempts without a delivery. */
export const oldChallenges = ({ before, shard }: Old) => {
  const isDue = sql`delivery_id is null and status <> 'sending'
    and ${inShard(sql`endpoint_id`, shard)}`
  return rowsBefore('attempt', 'started_at', before, 'id', isDue)
}

/** Ended replays that have no deliveries left. */
export const endedReplays = ({ before, shard }: Old) => {
  const isDue = sql`status in ('cancelled', 'completed') and ${inShard(sql`endpoint_id`, shard)}
    and not exists (select from delivery d where d.replay_id = replay.id)`
  return rowsBefore('replay', 'updated_at', before, 'id', isDue)
}

/** Deleted endpoints that nothing refers to any longer. */
export const deletedEndpoints = ({ before, shard }: Old) => {
  const isDue = sql`${inShard(sql`id`, shard)}
    and not exists (select from delivery d where d.endpoint_id = endpoint.id)
    and not exists (select from attempt a where a.endpoint_id = endpoint.id)
    and not exists (select from replay r where r.endpoint_id = endpoint.id)
    and not exists (select from signing_key k where k.endpoint_id = endpoint.id)`
  return rowsBefore('endpoint', 'deleted_at', before, 'id', isDue)
}
