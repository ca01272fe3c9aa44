import type { Context } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { PaymentDeps } from '../steps/deps.ts'

/** How the network collects payments; throws `payments_off` where it does not. */
export function paymentsOf({ payments }: Pick<Context, 'payments'>): PaymentDeps {
  if (!payments) throw refuse('payments_off')
  return payments
}

declare module '../../contract/operation.ts' {
  interface Services {
    /** undefined where the network collects no payments */
    payments?: PaymentDeps | undefined
  }
}
