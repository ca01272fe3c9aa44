import sql from 'sql-template-tag'
import type { Shard } from '../../contract/rules/shards.ts'
import { isInRealTime } from '../../platform/database/account-time.ts'
import type { Limit } from '../../platform/database/erase-through.ts'
import { inShard } from '../../platform/database/in-shard.ts'
import { type Db, execute } from '../../platform/database/sql.ts'

/** Up to `limit` rows from before this time, of the endpoints of a shard. */
export type OldRows = { before: Date; limit: Limit; shard: Shard }

/** Records that deliveries settled before this time may be missing. Call it before the erasure. */
export const recordErasure = (db: Db, before: Date) =>
  execute(db)`
    insert into delivery_erasure (erased_before) values (${before})
    on conflict (is_only) do update
    set erased_before = greatest(delivery_erasure.erased_before, excluded.erased_before)`

/** Deletes settled deliveries with their attempts, oldest first. */
export const deleteSettledDeliveries = (db: Db, { before, limit, shard }: OldRows) =>
  execute(db)`
    delete from delivery where id in (
      select id from delivery d where status not in ('pending', 'sending')
        and updated_at < ${before} and ${inShard(sql`endpoint_id`, shard)}
        and ${isInRealTime(sql`d.account_id`)}
      order by updated_at limit ${limit} for update skip locked)
    and status not in ('pending', 'sending') and updated_at < ${before}`

/** Deletes old challenges: attempts without a delivery. */
export const deleteChallenges = (db: Db, { before, limit, shard }: OldRows) =>
  execute(db)`
    delete from attempt where id in (
      select id from attempt
      where delivery_id is null and started_at < ${before} and status <> 'sending'
        and ${inShard(sql`endpoint_id`, shard)}
      order by started_at limit ${limit})`

/** Deletes ended replays that have no deliveries left. */
export const deleteReplays = (db: Db, { before, limit, shard }: OldRows) =>
  execute(db)`
    delete from replay where id in (
      select id from replay r where status in ('cancelled', 'completed') and updated_at < ${before}
        and not exists (select from delivery d where d.replay_id = r.id)
        and ${inShard(sql`endpoint_id`, shard)}
      limit ${limit})`

/** Removes deleted endpoints that nothing refers to any more. */
export const deleteEndpoints = (db: Db, { before, limit, shard }: OldRows) =>
  execute(db)`
    delete from endpoint where id in (
      select id from endpoint e where deleted_at < ${before} and ${inShard(sql`e.id`, shard)}
        and not exists (select from delivery d where d.endpoint_id = e.id)
        and not exists (select from attempt a where a.endpoint_id = e.id)
        and not exists (select from replay r where r.endpoint_id = e.id)
        and not exists (select from signing_key k where k.endpoint_id = e.id)
      limit ${limit})`
