import { type Refusal, refuse } from '../../base/errors.ts'
import { money } from '../../base/money.ts'
import type { Payment } from '../store/payments.ts'

/** Refuses a request until a payment, which is still to be made or undecided, has succeeded. */
export function paymentRefusal(payment: Payment): Refusal {
  const { id, page_url, state, amount_minor, currency } = payment
  const text = money(amount_minor, currency)
  const facts = {
    payment_id: id,
    ...(page_url && { pay_url: page_url }),
    ...(payment.due_id && { due_id: payment.due_id }),
    amount: { amount_minor, text, currency },
  }
  const where = page_url ? 'by your user at `pay_url`' : 'with the card on file'
  return state === 'created'
    ? refuse('payment_required', `${text} must be paid first, ${where}.`, facts)
    : refuse('payment_pending', `A payment of ${text} is being processed.`, facts)
}
