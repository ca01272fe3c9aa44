import type { Db, Pool } from '../../platform/database/sql.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import { deleteEndpoint } from '../store/endpoint-states.ts'
import { lockEndpointsOf, selectDeletedEndpointsOf } from '../store/endpoints.ts'
import { discardHeld } from '../store/held-deliveries.ts'
import { cancelReplaysOf } from '../store/replays.ts'
import { deleteSigningKeys } from '../store/signing-keys.ts'

/** Deletes a locked endpoint along with its secrets and headers, and ends its replays. */
export async function endEndpoint(tx: Db, id: string, at: Date): Promise<void> {
  await deleteEndpoint(tx, id, at)
  await deleteSigningKeys(tx, id)
  await cancelReplaysOf(tx, id, at)
}

/** Deletes all endpoints of an account. `discardDeliveriesOf` discards their deliveries. */
export async function deleteEndpointsOf(tx: Db, accountId: string, at: Date): Promise<void> {
  for (const id of await lockEndpointsOf(tx, accountId)) await endEndpoint(tx, id, at)
}

/** Discards the unsent deliveries of an account's deleted endpoints. */
export async function discardDeliveriesOf(db: Pool, accountId: string, at: Date): Promise<void> {
  const ids = await selectDeletedEndpointsOf(db, accountId)
  const discard = (id: string) => () => discardHeld(db, { id, status: 'deleted', at })
  await eachStep(Object.fromEntries(ids.map((id) => [id, discard(id)])))
}
