import type pg from 'pg'
import type { Pool } from './pool.ts'

type Db = Pick<pg.Pool, 'query'>

/** Is told the endpoints that a transaction has given something to deliver, once it has committed. */
export type Wake = (endpointIds: readonly string[]) => void

const wakes = new WeakMap<Pool, Wake>()
const noted = new WeakMap<Db, Set<string>>()

/** From now on `wake` is told of what transactions of this pool put up for delivery. Best effort: the sweep is the guarantee. */
export const wakeOnCommit = (pool: Pool, wake: Wake): void => {
  wakes.set(pool, wake)
}

/** Part of a transaction: these endpoints have something to deliver when it commits. */
export function noteDue(tx: Db, endpointIds: readonly string[]): void {
  if (endpointIds.length === 0) return
  noted.set(tx, new Set([...(noted.get(tx) ?? []), ...endpointIds]))
}

/** What a transaction has noted is told, or, when it was rolled back, forgotten. */
export function tellDue(pool: Pool, tx: Db, committed: boolean): void {
  const endpointIds = noted.get(tx)
  if (!endpointIds) return
  noted.delete(tx)
  if (committed) wakes.get(pool)?.([...endpointIds])
}
