import type { BookingHooks } from '../bookings/hooks.ts'
import { type RefusalData, refusalData } from '../contract/rules/errors.ts'
import { selectOptionalPayer } from './store/customers.ts'

const NO_ACCOUNT = 'A booking that is paid by itself has no account to charge.'
const NO_CARD = 'This account has no card on file.'
const NO_INVOICE = 'Accounts on the free tier get no invoice.'

const refusal = (why: string): RefusalData => refusalData('guarantee_not_covered', why)

/**
 * Whether an account can be charged later, for what a booking guarantees: by its card where the
 * network collects payments, and else by the invoice of the month, which accounts on pro get.
 */
export const chargeHooks = (
  payments: 'none' | 'local' | 'stripe',
): Pick<BookingHooks, 'whyNotChargeable'> => ({
  async whyNotChargeable(db, accountId) {
    const payer =
      accountId === null ? undefined : await selectOptionalPayer(db, accountId, payments)
    if (!payer || payer.is_wallet) return refusal(NO_ACCOUNT)
    if (payer.mode === 'test') return undefined
    if (payments === 'none') return payer.tier === 'pro' ? undefined : refusal(NO_INVOICE)
    return payer.has_card ? undefined : refusal(NO_CARD)
  },
})
