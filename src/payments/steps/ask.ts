import { loggable } from '../../platform/telemetry/log.ts'
import { selectCustomer } from '../store/customers.ts'
import type { Payment } from '../store/payments.ts'
import { applyCharge } from './apply-charge.ts'
import { logged, type PaymentDeps } from './deps.ts'

/**
 * Queries the provider for a payment's outcome and records it. If there is no answer, the payment
 * stays as it is: the query is repeated, and nothing is charged twice.
 */
export async function ask(deps: PaymentDeps, payment: Payment, at: Date): Promise<Payment> {
  try {
    return await askNow(deps, payment, at)
  } catch (error) {
    const line = { ...logged(payment), error: loggable(error) }
    deps.log.warn(line, 'the payment provider gave no answer about a payment')
    return payment
  }
}

/** Queries the provider about a payment; throws if it does not answer. */
export async function askNow(deps: PaymentDeps, payment: Payment, at: Date): Promise<Payment> {
  const { provider, db } = deps
  const customer = await selectCustomer(db, payment.account_id, payment.provider)
  if (!customer || payment.provider !== provider.name) return payment
  const { id: paymentId, page_id: pageId, provider_id: providerId } = payment
  const { customer_id: customerId } = customer
  const charge = await provider.readCharge({ paymentId, customerId, pageId, providerId, at })
  return applyCharge(deps, paymentId, charge, at)
}
