import { selectCustomerOfSetup } from '../store/customers.ts'
import { selectPayment } from '../store/payments.ts'
import { askNow } from './ask.ts'
import type { PaymentDeps } from './deps.ts'
import { hasCard } from './set-up.ts'

/**
 * Queries the provider for the result of a used page: its payment, or the saved card. Throws if the
 * provider does not answer.
 */
export async function recordPaid(deps: PaymentDeps, id: string, at: Date): Promise<boolean> {
  const payment = await selectPayment(deps.db, id)
  if (payment) await askNow(deps, payment, at)
  const setup = await selectCustomerOfSetup(deps.db, id)
  if (setup) await hasCard(deps, setup.account_id, at)
  return payment !== undefined || setup !== undefined
}
