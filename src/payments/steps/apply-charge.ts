import { settleInvoice } from '../../ledger/steps/settle-invoice.ts'
import { postEntries } from '../../ledger/store/entries.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { isInFlight, isTheirs, SENT_WITHIN_MS } from '../rules/payments.ts'
import type { Charge } from '../rules/provider.ts'
import { isFeeDue } from '../store/booking-payers.ts'
import { selectDue, selectProMonth } from '../store/dues.ts'
import {
  lockPayer,
  lockPayment,
  type Payment,
  selectPayment,
  updatePayment,
} from '../store/payments.ts'
import { activatePro } from './activate-pro.ts'
import { logged, type PaymentDeps } from './deps.ts'
import { endDunning } from './end-dunning.ts'
import { noteFailure } from './note-failure.ts'
import { recordCard } from './record-card.ts'
import { beginRefund } from './refund.ts'

/**
 * Records the provider's view of a charge and all its effects in one transaction. Calls may be
 * repeated and arrive in any order, as success is final and takes effect only once.
 */
export const applyCharge = (
  { db, log }: Pick<PaymentDeps, 'db' | 'log'>,
  paymentId: string,
  charge: Charge,
  at: Date,
): Promise<Payment> => transaction(db, (tx) => recordCharge(tx, log, paymentId, charge, at))

async function recordCharge(
  tx: Db,
  log: Log,
  paymentId: string,
  charge: Charge,
  at: Date,
): Promise<Payment> {
  const row = await selectPayment(tx, paymentId)
  if (row) await lockPayer(tx, row.account_id)
  const locked = await lockPayment(tx, paymentId)
  if (!locked) throw new Error(`no payment ${paymentId}`)
  const change = changeOf(locked, charge, at)
  if (!change) return locked
  // A capture whose answer was lost took the fee of that time.
  const amount_minor = (locked.purpose === 'booking' && charge.amountMinor) || locked.amount_minor
  const payment = { ...locked, amount_minor }
  const { state, reason = null } = change
  const paid = state === 'succeeded' ? await settle(tx, payment, at) : undefined
  const is_surplus = paid === null
  const provider_id = charge.providerId ?? null
  const to = { state, reason, due_id: paid ?? payment.due_id, is_surplus, amount_minor }
  await updatePayment(tx, paymentId, { ...to, provider_id, at })
  const after = { ...payment, ...to, provider_id: provider_id ?? payment.provider_id }
  if (state === 'succeeded') {
    if (is_surplus)
      await beginRefund(tx, after, after.amount_minor, surplusNotes[payment.purpose], at)
    await saveCardOfPage(tx, payment, charge, at)
  }
  const failure = reason ?? 'card_declined'
  if (state === 'failed' && payment.made_by === 'network' && isTheirs(failure)) {
    await noteFailure(tx, payment, failure, at)
  }
  log.info({ ...logged(after), state, reason, is_surplus }, 'payment recorded')
  return after
}

/** Saves the card of a page. A charge without a page may end after its card was replaced. */
async function saveCardOfPage(tx: Db, payment: Payment, { method }: Charge, at: Date) {
  const { account_id: accountId, provider, page_id } = payment
  if (method && page_id) await recordCard(tx, { accountId, provider, method, pageId: null, at })
}

const surplusNotes = {
  pro: 'Paid twice',
  invoice: 'Paid twice',
  booking: 'The booking costs nothing',
}

type Change = { state: Payment['state']; reason?: string | undefined }

/** How a payment changes; undefined if it does not. */
function changeOf(payment: Payment, { state, reason }: Charge, at: Date): Change | undefined {
  if (payment.state === 'succeeded') return undefined
  if (state === 'succeeded') return { state }
  // Only its capture or release ends an authorisation; without an answer, it is asked for again.
  if (payment.state === 'authorized') return state === 'failed' ? { state, reason } : undefined
  if (!isInFlight(payment)) return undefined
  switch (state) {
    case 'failed':
      return { state, reason }
    case 'absent': {
      const isLate = at.getTime() - payment.updated_at.getTime() > SENT_WITHIN_MS
      return isLate ? { state: 'failed', reason: 'not_received' } : undefined
    }
    case 'open':
      return undefined
    default:
      return payment.state === state ? undefined : { state }
  }
}

/**
 * Applies the effects of a successful payment in its transaction: ledger entries, a new month of
 * pro, or pro restored. Returns the id of the due, or null if nothing was due and the money must be
 * returned.
 */
async function settle(tx: Db, payment: Payment, at: Date): Promise<string | null> {
  if (payment.purpose === 'booking') {
    await post(tx, payment, null, at)
    return (await isFeeDue(tx, payment.due_id)) ? payment.due_id : null
  }
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
