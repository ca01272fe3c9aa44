import { deleteSentNamesOf } from '../../agents/store/agent-names.ts'
import { deleteAgentsOf } from '../../agents/store/agents.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import { deleteAuditEntriesOf, selectAuditEntries } from '../../platform/database/audit-log.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import { selectSandboxes } from '../../sandbox/store/sandboxes.ts'
import { deleteEndpointsOf, discardDeliveriesOf } from '../../webhooks/steps/delete-endpoints.ts'
import { eraseAccount, lockOptionalAccount } from '../store/deleted-accounts.ts'
import { revokeKeysOf } from '../store/keys.ts'
import { endCardPage, selectMembers } from '../store/members.ts'
import { movePlan } from '../store/plans.ts'
import { eraseBodiesOf } from './erase-bodies.ts'

/** How many changes the email about a deleted account lists. */
const MAX_CHANGES = 20

/** A deletion of an account. */
export type Closing = {
  accountId: string
  by: Audited
  proMonthlyMinor: number
  /** ends what the account has open in rooms that this room does not import */
  endElsewhere(tx: Db, accountId: string, at: Date): Promise<unknown>
  at: Date
}

/**
 * Disables an account and its sandboxes, and erases its owners' details. Bookings continue, because
 * guests and venues rely on them. Returns whom to notify and the latest changes, or undefined if
 * there is no such account. Call `afterClosing` after the transaction; both can be repeated.
 */
export async function closeAccount(tx: Db, { accountId, at, ...closing }: Closing) {
  if (!(await lockOptionalAccount(tx, accountId))) return undefined
  const members = await selectMembers(tx, accountId)
  const changes = await selectAuditEntries(tx, { accountId, limit: MAX_CHANGES })
  const { proMonthlyMinor } = closing
  const by = closing.by.actor?.kind === 'member' ? 'developer' : 'operator'
  await movePlan(tx, { accountId, to: 'free', by, proMonthlyMinor, at })
  await revokeKeysOf(tx, accountId, at)
  for (const id of [accountId, ...(await selectSandboxes(tx, accountId))]) {
    await deleteAgentsOf(tx, id, at)
    await deleteSentNamesOf(tx, id)
    await closing.endElsewhere(tx, id, at)
    await endCardPage(tx, id)
    await deleteEndpointsOf(tx, id, at)
    await deleteAuditEntriesOf(tx, id)
    if (id === accountId && !changes.some(({ action }) => action === 'account.deleted')) {
      await recordAudit(tx, closing.by, 'account.deleted')
    }
    await eraseAccount(tx, id, at)
  }
  const owners = members.filter(({ role }) => role === 'owner').map(({ email }) => email)
  return { owners, changes }
}

/** Erases a deleted account's recorded request bodies and discards its deliveries, step by step. */
export async function afterClosing(db: Pool, { accountId, at }: Pick<Closing, 'accountId' | 'at'>) {
  const ids = [accountId, ...(await selectSandboxes(db, accountId))]
  const steps = ids.flatMap((id) => [
    [`bodies of ${id}`, () => eraseBodiesOf(db, id)],
    [`deliveries of ${id}`, () => discardDeliveriesOf(db, id, at)],
  ])
  await eachStep(Object.fromEntries(steps))
}
