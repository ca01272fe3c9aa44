import { endCardPage } from '../../accounts/store/members.ts'
import type { Db } from '../../platform/database/sql.ts'
import { updateResumed, updateSuspended } from '../store/account-state.ts'
import { type Act, accountOfAct, recordAct } from './act.ts'

/**
 * Suspends an account: its keys are refused from the next request on, its dashboard becomes
 * read-only, and its members see the reason. Work in progress continues. False if nothing changed.
 */
export async function suspendAccount(tx: Db, act: Act & { reason: string }): Promise<boolean> {
  const isDone = await updateSuspended(tx, accountOfAct(act), act.reason, act.by.at)
  if (isDone) await endCardPage(tx, accountOfAct(act))
  if (isDone) await recordAct(tx, act, 'account.suspended')
  return isDone
}

/** Ends an account's suspension. False if it was not suspended. */
export async function resumeAccount(tx: Db, act: Act): Promise<boolean> {
  const isDone = await updateResumed(tx, accountOfAct(act))
  if (isDone) await recordAct(tx, act, 'account.resumed')
  return isDone
}
