import type { Pool } from '../../platform/database/sql.ts'
import type { Facilitator } from '../rules/facilitator.ts'
import { isLapsed, outcomeOf, type SettlementOutcome } from '../rules/settlement.ts'
import { beginSettling, type StoredPayment, updateOutcome } from '../store/payments.ts'

/**
 * Settles the payment of a held booking, or looks up an earlier attempt's outcome. Returns once the
 * outcome is stored and throws while it is unknown, so that the caller retries. A retry sends the
 * same authorisation, whose nonce allows only one transfer.
 */
export async function settlePayment(
  { db, facilitator }: { db: Pool; facilitator: Facilitator },
  bookingId: string,
  at: Date,
): Promise<void> {
  const payment = await beginSettling(db, bookingId, at)
  if (!payment) return
  const outcome = await attemptSettlement(facilitator, payment, at)
  await updateOutcome(db, payment.id, outcome, at)
  if (outcome.state === 'unknown') throw new Error(`the payment is unknown: ${outcome.error}`)
}

/** Sends an authorisation, unless already used, and determines the outcome. */
async function attemptSettlement(
  facilitator: Facilitator,
  payment: StoredPayment,
  at: Date,
): Promise<SettlementOutcome> {
  const { payload, attempts, valid_before } = payment
  const judge = { attempts, isLapsed: isLapsed(valid_before, at) }
  // An earlier attempt may have moved the money and then crashed before recording it.
  if (attempts > 1) {
    const usage = await facilitator.lookUp(payload)
    const attempt = { result: 'none', reason: 'authorization_lapsed' } as const
    if (usage.used || usage.isVoid || judge.isLapsed) return outcomeOf({ ...judge, attempt, usage })
  }
  const attempt = await facilitator.settle(payload)
  const usage = await facilitator.lookUp(payload)
  return outcomeOf({ ...judge, attempt, usage })
}
