import { refuse } from '../../contract/rules/errors.ts'
import type { PaymentProvider } from '../rules/provider.ts'

const refused = async (): Promise<never> => {
  throw refuse('payments_off', 'This network takes no cards.')
}

/** Where only wallets pay: no card is on file, and there is no page to pay on. */
export const noCards: PaymentProvider = {
  name: 'none',
  createCustomer: refused,
  openPage: refused,
  closePage: async () => {},
  readSetup: async () => undefined,
  charge: refused,
  readCharge: async () => ({ state: 'absent' }),
  refund: refused,
  readRefund: refused,
}
