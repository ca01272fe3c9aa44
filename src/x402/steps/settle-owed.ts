import { recordCharge } from '../../payments/steps/apply-charge.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Facilitator } from '../facilitator.ts'
import type { SettlementOutcome } from '../rules/settlement.ts'
import { beginSettlingOwed } from '../store/owed-payments.ts'
import { updateOutcome } from '../store/payments.ts'
import { attemptSettlement } from './settle-payment.ts'

type Paying = { db: Pool; log: Log; facilitator: Facilitator }

/**
 * Settles a payment for what an account owes, or finds out what became of an earlier attempt. The
 * outcome is stored with what follows from it: the entries, the invoice, the plan. Throws while
 * nobody can tell: the caller tries again.
 */
export async function settleOwed(
  { db, log, facilitator }: Paying,
  paymentId: string,
  at: Date,
): Promise<void> {
  const payment = await beginSettlingOwed(db, paymentId, at)
  if (!payment) return
  const outcome = await attemptSettlement(facilitator, payment, at)
  await transaction(db, async (tx) => {
    const isStored = (await updateOutcome(tx, paymentId, outcome, at)) === 1
    if (isStored) await recordCharge(tx, log, paymentId, chargeOf(outcome), at)
  })
  if (outcome.state === 'unknown') throw new Error(`the payment is unknown: ${outcome.error}`)
}

const MOST_REASON = 200

/** The outcome in the words of payments. */
function chargeOf(outcome: SettlementOutcome): Parameters<typeof recordCharge>[3] {
  switch (outcome.state) {
    case 'settled':
      return { state: 'succeeded', providerId: outcome.transaction }
    case 'failed':
      return { state: 'failed', reason: outcome.error.slice(0, MOST_REASON) }
    case 'unknown':
      return { state: 'unknown' }
  }
}
