import { movePlan } from '../../accounts/store/plans.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import { transaction } from '../../platform/database/sql.ts'
import { description } from '../rules/descriptions.ts'
import { selectProMonth, selectWhyProEnded } from '../store/dues.ts'
import type { PaymentDeps } from './deps.ts'
import { type PaymentRequest, pay, paymentRequestOf } from './pay.ts'
import { paymentRefusal } from './required.ts'

/**
 * Moves an account to pro once this month is paid for, with the card on file or on a page that the
 * refusal names. If an unpaid due ended pro, it is paid first, which restores pro.
 */
export async function buyPro(
  deps: PaymentDeps,
  account: PaymentRequest['account'],
  by: Audited,
  proMonthlyMinor: number,
): Promise<void> {
  const request = await requestForPro(deps, account, proMonthlyMinor, by.at)
  if (!request) return moveToPro(deps, account, by, proMonthlyMinor)
  const payment = await pay(deps, request, by.at)
  if (payment && payment.state !== 'succeeded') throw paymentRefusal(payment)
}

/** The payment that pro requires: the due that ended it, or else the month. Undefined if paid. */
async function requestForPro(
  { db }: Pick<PaymentDeps, 'db'>,
  account: PaymentRequest['account'],
  proMonthlyMinor: number,
  at: Date,
): Promise<PaymentRequest | undefined> {
  const unpaid = await selectWhyProEnded(db, account.id)
  const ofMonth = await selectProMonth(db, account.id, at)
  if (ofMonth?.is_settled && !unpaid) return undefined
  const due = unpaid ?? ofMonth
  return due ? paymentRequestOf(account, due) : monthWanted(account, proMonthlyMinor, at)
}

const monthWanted = (
  account: PaymentRequest['account'],
  amountMinor: number,
  at: Date,
): PaymentRequest => ({
  account,
  purpose: 'pro',
  dueId: null,
  amountMinor,
  currency: 'USD',
  description: description({ purpose: 'pro', month: at.toISOString().slice(0, 7), number: null }),
})

/** Needs no payment, as the account went back to free in the middle of a month that it had paid. */
const moveToPro = (
  { db }: PaymentDeps,
  account: PaymentRequest['account'],
  by: Audited,
  proMonthlyMinor: number,
) =>
  transaction(db, async (tx) => {
    const move = { accountId: account.id, to: 'pro', by: 'developer', proMonthlyMinor } as const
    const from = await movePlan(tx, { ...move, at: by.at })
    if (from === 'pro') return
    await recordAudit(tx, by, 'plan.changed', { details: { from, to: 'pro' } })
  })
