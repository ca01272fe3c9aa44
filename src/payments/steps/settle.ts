import { settleInvoice } from '../../ledger/steps/settle-invoice.ts'
import { postEntries } from '../../ledger/store/entries.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectDue, selectProMonth } from '../store/dues.ts'
import type { Payment } from '../store/payments.ts'
import { activatePro } from './activate-pro.ts'
import { endDunning } from './end-dunning.ts'

/**
 * Applies the effects of a successful payment in its transaction: ledger entries, a new month of
 * pro, or pro restored. Returns the id of the due, or null if nothing was due and the money must be
 * returned.
 */
export async function settle(tx: Db, payment: Payment, at: Date): Promise<string | null> {
  // Moving the account to pro creates the due for a month that is bought now.
  const { account_id: accountId, amount_minor: proMonthlyMinor } = payment
  const move = { accountId, by: 'developer', proMonthlyMinor, at } as const
  if (!payment.due_id) await activatePro(tx, move)
  const ofMonth = await selectProMonth(tx, payment.account_id, at)
  const due = payment.due_id ? await selectDue(tx, payment.due_id) : ofMonth
  const isDue = due && !due.is_settled && due.amount_minor === payment.amount_minor
  await post(tx, payment, isDue ? due.purpose : null, at)
  if (!isDue) return null
  const isOwn = due.id === ofMonth?.id && payment.made_by === 'customer'
  if (isOwn) await activatePro(tx, move)
  await endDunning(tx, due.id, { paidAt: at, at })
  return due.id
}

/** Settles an invoice, or adds a prepayment or surplus to the account's credit. */
async function post(tx: Db, payment: Payment, purpose: Payment['purpose'] | null, at: Date) {
  const { id: sourceId, account_id: accountId, amount_minor: amountMinor, currency } = payment
  const source = { sourceKind: 'payment', sourceId, amountMinor, at }
  if (purpose === 'invoice' && payment.due_id) {
    return settleInvoice(tx, payment.due_id, source)
  }
  const sides = { kind: 'paid', debit: 'cash', credit: 'credit' } as const
  return postEntries(tx, [{ ...source, ...sides, accountId, currency }])
}
