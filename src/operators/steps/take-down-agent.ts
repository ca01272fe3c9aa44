import { updateTakenDown } from '../../agents/store/agents.ts'
import type { Audited } from '../../contract/audit.ts'
import type { Db } from '../../platform/database/sql.ts'
import { recordAct } from './act.ts'

/**
 * Takes a public agent down: it stays private until it is restored, and its account sees the
 * reason. False if there is no such agent. `byOwner` says who acts on the owner's account.
 */
export async function takeDownAgent(
  tx: Db,
  { name, reason, isRestored }: { name: string; reason: string; isRestored: boolean },
  byOwner: (accountId: string) => Audited,
  at: Date,
): Promise<boolean> {
  const agent = await updateTakenDown(tx, name, isRestored ? null : reason, at)
  if (!agent) return false
  const action = isRestored ? 'agent.restored' : 'agent.taken_down'
  await recordAct(tx, { by: byOwner(agent.account_id), reason }, action, { name: agent.name })
  return true
}
