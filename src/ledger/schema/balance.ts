import { z } from 'zod'
import { amountText, currency } from '../../contract/local-times.ts'
import { named } from '../../contract/named.ts'

const minor = z.int()

/** An account's balances in one currency. */
export const balance = named('Balance', {
  currency,
  unbilled_minor: minor.describe('Accrued minus reversed, not yet invoiced'),
  unbilled_text: amountText,
  due_minor: minor.describe('Left to pay on open invoices'),
  due_text: amountText,
  credit_minor: minor.describe('What the network owes you: it pays your next invoices'),
  credit_text: amountText,
})
export type AccountBalance = z.infer<typeof balance>
