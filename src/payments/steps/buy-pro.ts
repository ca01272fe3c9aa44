import { movePlan } from '../../accounts/store/plans.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import { transaction } from '../../platform/database/sql.ts'
import { description } from '../rules/descriptions.ts'
import { selectProMonth, selectWhyProEnded } from '../store/dues.ts'
import type { PaymentDeps } from './deps.ts'
import { pay, type WantedPayment, wantedOf } from './pay.ts'
import { paymentRefusal } from './required.ts'

/**
 * Moves an account to pro once this month is paid for: with the card on file, or on a page that the
 * refusal names. What ended pro is paid first, and brings it back.
 */
export async function buyPro(
  deps: PaymentDeps,
  account: WantedPayment['account'],
  by: Audited,
  proMonthlyMinor: number,
): Promise<void> {
  const wanted = await wantedForPro(deps, account, proMonthlyMinor, by.at)
  if (!wanted) return moveToPro(deps, account, by, proMonthlyMinor)
  const payment = await pay(deps, wanted, by.at)
  if (payment && payment.state !== 'succeeded') throw paymentRefusal(payment)
}

/** What an account pays to be on pro: what ended it, or else the month. Undefined: it has paid. */
async function wantedForPro(
  { db }: Pick<PaymentDeps, 'db'>,
  account: WantedPayment['account'],
  proMonthlyMinor: number,
  at: Date,
): Promise<WantedPayment | undefined> {
  const unpaid = await selectWhyProEnded(db, account.id)
  const ofMonth = await selectProMonth(db, account.id, at)
  if (ofMonth?.is_settled && !unpaid) return undefined
  const due = unpaid ?? ofMonth
  return due ? wantedOf(account, due) : monthWanted(account, proMonthlyMinor, at)
}

const monthWanted = (
  account: WantedPayment['account'],
  amountMinor: number,
  at: Date,
): WantedPayment => ({
  account,
  purpose: 'pro',
  dueId: null,
  amountMinor,
  currency: 'USD',
  description: description({ purpose: 'pro', month: at.toISOString().slice(0, 7), number: null }),
})

/** The month has been paid: the account went back to free in it. */
const moveToPro = (
  { db }: PaymentDeps,
  account: WantedPayment['account'],
  by: Audited,
  proMonthlyMinor: number,
) =>
  transaction(db, async (tx) => {
    const move = { accountId: account.id, to: 'pro', by: 'developer', proMonthlyMinor } as const
    const from = await movePlan(tx, { ...move, at: by.at })
    if (from === 'pro') return
    await recordAudit(tx, by, 'plan.changed', { details: { from, to: 'pro' } })
  })
