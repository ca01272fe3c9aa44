import { afterCommit, type Db, type Pool } from '../../platform/database/sql.ts'
import type { EndpointStart } from '../rules/webhooks.ts'

/** Is told the endpoints for which a transaction enqueued deliveries, once it has committed. */
export type NotifyEndpoints = (endpoints: readonly EndpointStart[]) => void

const notifiers = new WeakMap<Pool, NotifyEndpoints>()

/** Calls `notify` after every commit of this pool that enqueued deliveries. Best effort: the sweep is the guarantee. */
export const notifyOnCommit = (pool: Pool, notify: NotifyEndpoints): void => {
  notifiers.set(pool, notify)
}

/** Part of a transaction: these endpoints have something to deliver once it commits. */
export function noteDue(tx: Db, endpoints: readonly EndpointStart[]): void {
  if (endpoints.length > 0) afterCommit(tx, (pool) => notifiers.get(pool)?.(endpoints))
}
