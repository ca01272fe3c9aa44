import { deleteSentNamesOf } from '../../agents/store/agent-names.ts'
import { deleteAgentsOf } from '../../agents/store/agents.ts'
import { deleteAuditEntriesOf } from '../../platform/database/audit-log.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import { selectSandboxes } from '../../sandbox/store/sandboxes.ts'
import { deleteEndpointsOf, discardDeliveriesOf } from '../../webhooks/steps/delete-endpoints.ts'
import type { planChangers } from '../schema/plan.ts'
import { eraseAccount, lockOptionalAccount } from '../store/deleted-accounts.ts'
import { revokeKeysOf } from '../store/keys.ts'
import { movePlan } from '../store/plans.ts'
import { eraseBodiesOf } from './erase-bodies.ts'

/** An account that is being deleted. */
export type Closing = {
  accountId: string
  by: (typeof planChangers)[number]
  proMonthlyMinor: number
  /** ends what rooms have that this one does not know */
  endElsewhere(tx: Db, accountId: string, at: Date): Promise<unknown>
  at: Date
}

/**
 * Ends everything that an account and its sandboxes can do, and erases who it belongs to. Bookings
 * go on, because guests and venues rely on them. False when there is no such account. Call
 * `afterClosing` when the transaction has ended; both are repeatable.
 */
export async function closeAccount(tx: Db, { accountId, at, ...closing }: Closing) {
  if (!(await lockOptionalAccount(tx, accountId))) return false
  const { by, proMonthlyMinor } = closing
  await movePlan(tx, { accountId, to: 'free', by, proMonthlyMinor, at })
  await revokeKeysOf(tx, accountId, at)
  for (const id of [accountId, ...(await selectSandboxes(tx, accountId))]) {
    await deleteAgentsOf(tx, id, at)
    await deleteSentNamesOf(tx, id)
    await closing.endElsewhere(tx, id, at)
    await deleteEndpointsOf(tx, id, at)
    await deleteAuditEntriesOf(tx, id)
    await eraseAccount(tx, id, at)
  }
  return true
}

/** Erases the bodies and discards the deliveries that a deleted account still had, in steps. */
export async function afterClosing(db: Pool, { accountId, at }: Pick<Closing, 'accountId' | 'at'>) {
  for (const id of [accountId, ...(await selectSandboxes(db, accountId))]) {
    await eraseBodiesOf(db, id)
    await discardDeliveriesOf(db, id, at)
  }
}
