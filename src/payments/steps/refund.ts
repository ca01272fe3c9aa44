import { randomUUIDv7 } from 'node:crypto'
import type { LedgerEntry } from '../../ledger/rules/ledger.ts'
import { postEntries } from '../../ledger/store/entries.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import type { Refunded, RefundRequest } from '../rules/provider.ts'
import { lockPayment, type Payment, selectPayment } from '../store/payments.ts'
import {
  insertRefund,
  lockRefund,
  type Refund,
  releaseRefund,
  reserveRefund,
  selectRefund,
  updateRefund,
} from '../store/refunds.ts'
import { logged, type PaymentDeps } from './deps.ts'

/** Begins a refund; null if less than that is left of the payment. `refundId` is the form's id. */
export async function beginRefund(
  tx: Db,
  { id }: Pick<Payment, 'id'>,
  amountMinor: number,
  note: string,
  at: Date,
  refundId: string = randomUUIDv7(),
): Promise<string | null> {
  if (!(await reserveRefund(tx, id, amountMinor))) return null
  await insertRefund(tx, { id: refundId, payment_id: id, amount_minor: amountMinor, note, at })
  return refundId
}

/** Sends a refund. Repeating this does not refund twice. */
export const sendRefund = (deps: PaymentDeps, refundId: string, at: Date) =>
  exchange(deps, refundId, at, (request) => deps.provider.refund(request)).catch((error) =>
    deps.log.error(
      { refund_id: refundId, error: loggable(error) },
      'a refund was not sent: it is sent again later',
    ),
  )

/** Queries a refund, and sends it if it never arrived. Throws if the provider does not answer. */
export const askAboutRefund = (deps: PaymentDeps, refundId: string, at: Date) =>
  exchange(deps, refundId, at, async (request, { provider_id: providerId }) => {
    const result = await deps.provider.readRefund({ ...request, providerId })
    return result.state === 'absent' ? deps.provider.refund(request) : result
  })

async function exchange(
  deps: PaymentDeps,
  refundId: string,
  at: Date,
  ask: (request: RefundRequest, refund: Refund) => Promise<Refunded>,
): Promise<void> {
  const refund = await selectRefund(deps.db, refundId)
  const payment = refund && (await selectPayment(deps.db, refund.payment_id))
  if (!refund || !payment?.provider_id) throw new Error(`no refund ${refundId}`)
  const { currency, provider_id: chargeId } = payment
  const { amount_minor: amountMinor, idempotency_key: idempotencyKey } = refund
  const request = { refundId, chargeId, amountMinor, currency, idempotencyKey, at }
  await applyRefund(deps, refundId, await ask(request, refund), at)
}

async function applyRefund(deps: PaymentDeps, id: string, result: Refunded, at: Date) {
  const { state, reason = null, providerId: provider_id = null } = result
  if (state === 'absent') return
  await transaction(deps.db, async (tx) => {
    const refund = await lockRefund(tx, id)
    if (!refund || refund.state === 'failed') return
    const wasGiven = refund.state === 'succeeded'
    if (wasGiven && state !== 'failed') return
    const payment = await lockPayment(tx, refund.payment_id)
    if (!payment) throw new Error(`no payment of refund ${id}`)
    await updateRefund(tx, id, { state, reason, provider_id, at })
    const sides = sidesOf(payment, state, wasGiven)
    if (sides) await postRefund(tx, payment, refund, sides, at)
    if (state === 'failed') await releaseRefund(tx, payment.id, refund.amount_minor)
    const line = { ...logged(payment), refund_id: id, was: refund.state, state, reason }
    deps.log.info(line, 'refund recorded')
  })
}

type Sides = Pick<LedgerEntry, 'kind' | 'debit' | 'credit'>

/** The ledger entry for a refund's new state, if any. */
function sidesOf(payment: Payment, state: Refunded['state'], wasGiven: boolean): Sides | null {
  // A surplus payment was never revenue.
  const account = payment.is_surplus ? 'credit' : 'revenue'
  if (state === 'succeeded') return { kind: 'refunded', debit: account, credit: 'cash' }
  // A refund that fails after success was rejected by the bank, so the money has come back.
  return wasGiven ? { kind: 'corrected', debit: 'cash', credit: account } : null
}

const postRefund = (
  tx: Db,
  payment: Payment,
  refund: Pick<Refund, 'id' | 'amount_minor' | 'note'>,
  sides: Sides,
  at: Date,
) =>
  postEntries(tx, [
    {
      accountId: payment.account_id,
      currency: payment.currency,
      ...sides,
      amountMinor: refund.amount_minor,
      sourceKind: 'refund',
      sourceId: refund.id,
      at,
      note: refund.note,
    },
  ])
