import { movePlan } from '../../accounts/store/plans.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type Act, accountOfAct, recordAct } from './act.ts'

/** Lets an operator move an account to a tier. Undefined if there is no such account. */
export async function changePlanOf(
  tx: Db,
  act: Act,
  { to, proMonthlyMinor }: { to: 'free' | 'pro'; proMonthlyMinor: number },
) {
  const move = { accountId: accountOfAct(act), to, proMonthlyMinor, at: act.by.at }
  const from = await movePlan(tx, { ...move, by: 'operator' })
  const isMove = from !== undefined && from !== to
  if (isMove) await recordAct(tx, act, 'plan.changed', { details: { from, to } })
  return from
}
