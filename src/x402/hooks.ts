import { refusalData } from '../base/errors.ts'
import type { BookingHooks } from '../bookings/hooks.ts'
import { selectProgress } from './store/payments.ts'

/** The payment for a booking. A payment counts only if it is settled and not to be refunded. */
export const paymentHooks: Pick<BookingHooks, 'paymentOf'> = {
  async paymentOf(db, bookingId, at) {
    const { state, error, pay_by } = await selectProgress(db, bookingId)
    if (state === 'settled') return 'settled'
    if (state === 'failed') {
      const what = `The payment was not settled (${error}).`
      return { refusal: refusalData('payment_rejected', what, { reason: error }) }
    }
    const isOpen = state !== 'refund_due' && state !== 'refunded'
    if (isOpen && at < pay_by) return { payBy: pay_by.toISOString() }
    return { refusal: refusalData('payment_undecided') }
  },
}
