import type pg from 'pg'
import type { Pool } from '../../platform/database/pool.ts'
import type { EndpointStart } from '../rules/webhooks.ts'

type Db = Pick<pg.Pool, 'query'>

/** Is told the endpoints that a transaction has given something to deliver, once it has committed. */
export type Wake = (endpoints: readonly EndpointStart[]) => void

const wakes = new WeakMap<Pool, Wake>()
const noted = new WeakMap<Db, Map<string, EndpointStart>>()

/** From now on `wake` is told of what transactions of this pool put up for delivery. Best effort: the sweep is the guarantee. */
export const wakeOnCommit = (pool: Pool, wake: Wake): void => {
  wakes.set(pool, wake)
}

/** Part of a transaction: these endpoints have something to deliver when it commits. */
export function noteDue(tx: Db, endpoints: readonly EndpointStart[]): void {
  if (endpoints.length === 0) return
  const due = noted.get(tx) ?? new Map<string, EndpointStart>()
  for (const endpoint of endpoints) due.set(endpoint.endpointId, endpoint)
  noted.set(tx, due)
}

/** What a transaction has noted is told, or, when it was rolled back, forgotten. */
export function tellDue(pool: Pool, tx: Db, committed: boolean): void {
  const due = noted.get(tx)
  if (!due) return
  noted.delete(tx)
  if (committed) wakes.get(pool)?.([...due.values()])
}
