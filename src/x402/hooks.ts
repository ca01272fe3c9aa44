import type { PlanContext } from '../accounts/hooks.ts'
import { refusalData } from '../base/errors.ts'
import type { BookingServices } from '../bookings/engine.ts'
import type { BookingHooks } from '../bookings/hooks.ts'
import type { Context } from '../contract/operation.ts'
import type { Facilitator } from './rules/facilitator.ts'
import type { X402Terms } from './rules/terms.ts'
import { selectProgress } from './store/payments.ts'

/** Services that operations accepting x402 payments use. */
export type X402Services = BookingServices & {
  billing?: PlanContext['billing']
  /** undefined if x402 is off */
  facilitator?: Facilitator | undefined
  /** the terms of x402 payments; null if x402 is off */
  settings: PlanContext['settings'] & { x402: X402Terms | null }
}
export type X402Context = Context<X402Services>

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
