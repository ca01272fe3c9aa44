import { selectCustomerOfSetup } from '../store/customers.ts'
import { selectPayment } from '../store/payments.ts'
import { askNow } from './ask.ts'
import type { PaymentDeps } from './deps.ts'
import { hasCard } from './set-up.ts'

/**
 * A page was used: asks the provider what became of its payment, or of the card left on it. Throws
 * when the provider does not answer.
 */
export async function recordPaid(deps: PaymentDeps, id: string, at: Date): Promise<boolean> {
  const payment = await selectPayment(deps.db, id)
  if (payment) await askNow(deps, payment, at)
  const setup = await selectCustomerOfSetup(deps.db, id)
  if (setup) await hasCard(deps, setup.account_id, at)
  return payment !== undefined || setup !== undefined
}
