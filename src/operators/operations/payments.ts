import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import type { PaymentServices } from '../../payments/operations/payments-of.ts'
import { livePaymentsOf } from '../../payments/operations/payments-of.ts'
import { ask } from '../../payments/steps/ask.ts'
import { chargeDue } from '../../payments/steps/collect.ts'
import { beginRefund, sendRefund } from '../../payments/steps/refund.ts'
import { selectDue, selectUnpaid } from '../../payments/store/dues.ts'
import {
  lockPayment,
  type Payment,
  selectPayment,
  selectPayments,
} from '../../payments/store/payments.ts'
import { type Refund, selectRefund, selectRefunds } from '../../payments/store/refunds.ts'
import { selectStuckPayments } from '../../payments/store/stuck-payments.ts'
import { transaction } from '../../platform/database/sql.ts'
import { GIVEN_UP_DAYS, STUCK_PAYMENT_MS } from '../rules/stuck.ts'
import { recordAct } from '../steps/act.ts'
import type { Reasoned } from './act-on-account.ts'

type Deps = Pick<Services, 'db'> & PaymentServices

const LATEST = 20

/** Payments that need an operator. Covers all accounts, so it is for operators only. */
export const readStuckPayments = ({ db }: Pick<Deps, 'db'>, at: Date) =>
  selectStuckPayments(
    db,
    new Date(at.getTime() - STUCK_PAYMENT_MS),
    new Date(at.getTime() - GIVEN_UP_DAYS * DAY_MS),
  )

/** An account's unpaid dues and latest payments. */
export async function readPaymentsOf({ db }: Pick<Deps, 'db'>, accountId: string) {
  const [due, payments] = await Promise.all([
    selectUnpaid(db, accountId),
    selectPayments(db, accountId, { before: null, limit: LATEST }),
  ])
  return { due, payments }
}

/** A payment by any account, with its refunds. Throws `page_not_found`. */
export async function readPayment({ db }: Pick<Deps, 'db'>, id: string) {
  const payment = await selectPayment(db, id)
  if (!payment) throw refuse('page_not_found', 'There is no such payment.')
  return { payment, refunds: await selectRefunds(db, id) }
}
export type PaymentPage = Awaited<ReturnType<typeof readPayment>>

/** Queries the provider for a payment's outcome. */
export async function askAboutPayment(deps: Deps, id: string, at: Date): Promise<Payment> {
  const { payment } = await readPayment(deps, id)
  return ask(livePaymentsOf(deps), payment, at)
}

/**
 * Refunds part of a payment. The refund is recorded before it is sent, and resent until it
 * succeeds. A form submitted twice counts once.
 */
export async function refundPayment(
  deps: Deps,
  act: Reasoned,
  id: string,
  { amountMinor, form }: { amountMinor: number; form: string },
) {
  const payments = livePaymentsOf(deps)
  const { at } = act.by
  const isNew = await transaction(deps.db, async (tx) => {
    // Locked, so that a form submitted twice waits for the first submission.
    const payment = await lockPayment(tx, id)
    if (!payment) throw refuse('page_not_found', 'There is no such payment.')
    const before = await selectRefund(tx, form)
    if (before) return assertSame(before, id, amountMinor)
    if (!(await beginRefund(tx, payment, amountMinor, act.reason, at, form))) {
      throw refuse('form_incomplete', 'Less than that is left of this payment.')
    }
    const details = { payment_id: id, amount_minor: amountMinor, currency: payment.currency }
    await recordAct(tx, act, 'payment.refunded', { details })
    return true
  })
  // `collect` continues an earlier attempt, after querying the provider.
  if (isNew) await sendRefund(payments, form, at)
}

function assertSame(refund: Refund, paymentId: string, amountMinor: number): false {
  if (refund.payment_id === paymentId && refund.amount_minor === amountMinor) return false
  throw refuse('form_incomplete', 'This form was sent with another amount. Open the page again.')
}

/** Charges a due to the card on file immediately. Throws `page_not_found`. */
export async function chargeNow(deps: Deps, act: Reasoned, dueId: string) {
  const payments = livePaymentsOf(deps)
  const due = await selectDue(deps.db, dueId)
  if (due?.account_id !== act.by.account?.id || due?.is_settled !== false) {
    throw refuse('page_not_found', 'There is no such amount due.')
  }
  const details = { due_id: dueId, amount_minor: due.amount_minor, currency: due.currency }
  await transaction(deps.db, (tx) => recordAct(tx, act, 'payment.retried', { details }))
  await chargeDue(payments, due, act.by.at)
}
