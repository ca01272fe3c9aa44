import type { BookingHooks } from '../bookings/hooks.ts'
import { refusalData } from '../contract/rules/errors.ts'
import { selectProgress } from './store/payments.ts'

/** What bookings ask about their payments. */
export const paymentHooks: Pick<BookingHooks, 'paymentOf'> = {
  async paymentOf(db, bookingId) {
    const { state, error } = await selectProgress(db, bookingId)
    if (state === 'failed') {
      const what = `The payment was not settled (${error}); nothing was charged.`
      return { refusal: refusalData('payment_rejected', what, { reason: error }) }
    }
    return state === 'settled' || state === 'refund_due' ? 'settled' : 'due'
  },
}
