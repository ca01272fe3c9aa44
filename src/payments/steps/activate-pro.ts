import { movePlan, type PlanMove } from '../../accounts/store/plans.ts'
import { byNetwork, recordAudit } from '../../contract/audit.ts'
import type { Db } from '../../platform/database/sql.ts'

/** Moves an account to pro once its debt is paid or no longer due. */
export async function activatePro(tx: Db, move: Omit<PlanMove, 'to'>): Promise<void> {
  const { accountId, at } = move
  const from = await movePlan(tx, { ...move, to: 'pro' })
  if (from === undefined || from === 'pro') return
  await recordAudit(tx, byNetwork(accountId, at), 'plan.changed', { details: { from, to: 'pro' } })
}
