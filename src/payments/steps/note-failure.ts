import type { Db } from '../../platform/database/sql.ts'
import { nextAt } from '../rules/dunning.ts'
import { selectDue } from '../store/dues.ts'
import { lockDunning, upsertFailure } from '../store/dunning.ts'
import type { Payment } from '../store/payments.ts'

/** Counts a failed charge for an open due, and schedules the next charge and an email. */
export async function noteFailure(
  tx: Db,
  { due_id, purpose, account_id }: Pick<Payment, 'due_id' | 'purpose' | 'account_id'>,
  reason: string,
  at: Date,
): Promise<void> {
  if (!due_id || (await selectDue(tx, due_id))?.is_settled !== false) return
  const before = await lockDunning(tx, due_id)
  const failures = (before?.failures ?? 0) + 1
  const since = before?.since ?? at
  const next_at = nextAt(failures, since)
  await upsertFailure(tx, { due_id, purpose, account_id, failures, reason, since, next_at })
}
