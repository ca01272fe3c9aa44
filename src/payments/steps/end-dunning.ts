import { type PassDeps, runPass } from '../../platform/database/continue-pass.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { selectLastProPrice } from '../store/dues.ts'
import {
  type EndedDunning,
  selectToCarryOver,
  updateCarriedOver,
  updateEnded,
} from '../store/dunning.ts'
import { lockPayer } from '../store/payments.ts'
import { activatePro } from './activate-pro.ts'

/** Ends the dunning for a paid or void due, and restores pro if that dunning had ended it. */
export async function endDunning(
  tx: Db,
  dueId: string,
  { paidAt, at }: { paidAt: Date | null; at: Date },
): Promise<void> {
  const dunning = await updateEnded(tx, dueId, paidAt)
  if (dunning) await restorePro(tx, dunning, at)
}

/**
 * Moves dunnings for pro months that have since been invoiced to their invoices, and ends those
 * whose invoice is settled.
 */
export const carryOverDunnings = (deps: PassDeps, at: Date): Promise<Pass> =>
  runPass(deps, 'carried-dunnings', {
    select: (page) => selectToCarryOver(deps.db, page),
    idOf: ({ due_id }) => due_id,
    help: ({ due_id, account_id }) =>
      transaction(deps.db, async (tx) => {
        await lockPayer(tx, account_id)
        const carried = await updateCarriedOver(tx, due_id)
        if (carried?.is_settled) await restorePro(tx, carried, at)
      }),
  })

async function restorePro(tx: Db, { account_id: accountId, pro_ended_at }: EndedDunning, at: Date) {
  if (!pro_ended_at) return
  const proMonthlyMinor = await selectLastProPrice(tx, accountId)
  await activatePro(tx, { accountId, by: 'system', proMonthlyMinor, at })
}
