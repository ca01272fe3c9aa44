import type { Db } from '../../platform/database/sql.ts'
import { type Correction, corrections } from '../rules/corrections.ts'
import { balancesOf } from '../store/balances.ts'
import { lockInvoices } from '../store/close-month.ts'
import { hasPosted, postEntries } from '../store/entries.ts'

type Correcting = {
  accountId: string
  correction: Correction
  currency: string
  amountMinor: number
  /** the form's id: submitting it again has no effect */
  id: string
  reason: string
  at: Date
}

/**
 * Posts a correction to an account's ledger. Returns `done` for a form already submitted, and
 * `too_much` if the account has less credit than the correction takes.
 */
export async function correctLedger(
  tx: Db,
  { accountId, correction, currency, amountMinor, id, reason, at }: Correcting,
): Promise<'posted' | 'done' | 'too_much'> {
  const { sides } = corrections[correction]
  const source = { sourceKind: 'correction', sourceId: id }
  // Locked during the comparison, so that no other transaction spends the credit.
  await lockInvoices(tx, accountId)
  if (await hasPosted(tx, { ...source, kinds: [sides.kind] })) return 'done'
  if (sides.debit === 'credit') {
    const balances = await balancesOf(tx, accountId)
    const ofCredit = balances.find((one) => one.account === 'credit' && one.currency === currency)
    if (0 - (ofCredit?.balance_minor ?? 0) < amountMinor) return 'too_much'
  }
  await postEntries(tx, [
    { ...sides, ...source, accountId, currency, amountMinor, at, note: reason },
  ])
  return 'posted'
}
