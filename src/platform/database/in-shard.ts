import sql, { type Sql } from 'sql-template-tag'
import type { Shard } from '../../base/shards.ts'

/** Up to `limit` rows of a shard with ids above `after`, not checked since `before`. */
export type PageOfShard = { before: Date; after: string | null; limit: number; shard?: Shard }

/** Whether the row with this id, a UUID, belongs to the shard. */
export const inShard = (id: Sql, { index, count }: Shard): Sql =>
  count === 1 ? sql`true` : sql`(uuid_hash(${id}) & 2147483647) % ${count} = ${index}`
