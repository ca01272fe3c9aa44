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
  /** of the form, so that it counts once */
  id: string
  reason: string
  at: Date
}

/**
 * Corrects the ledger of an account by an entry. `done` before if its form has been sent already;
 * `too_much` if it takes more credit than there is.
 */
export async function correctLedger(
  tx: Db,
  { accountId, correction, currency, amountMinor, id, reason, at }: Correcting,
): Promise<'posted' | 'done' | 'too_much'> {
  const { sides } = corrections[correction]
  const source = { sourceKind: 'correction', sourceId: id }
  // Held while the credit is compared, so that nothing else takes it.
  await lockInvoices(tx, accountId)
  if (await hasPosted(tx, { ...source, kinds: [sides.kind] })) return 'done'
  if (sides.debit === 'credit') {
    const found = await balancesOf(tx, accountId)
    const ofCredit = found.find((one) => one.account === 'credit' && one.currency === currency)
    if (0 - (ofCredit?.balance_minor ?? 0) < amountMinor) return 'too_much'
  }
  await postEntries(tx, [
    { ...sides, ...source, accountId, currency, amountMinor, at, note: reason },
  ])
  return 'posted'
}
