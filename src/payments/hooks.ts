import type { Billing } from '../accounts/hooks.ts'
import { refusalData } from '../base/errors.ts'
import type { BookingHooks } from '../bookings/hooks.ts'
import { accountOf } from '../contract/operation.ts'
import { feeRefusal } from './rules/fee-refusals.ts'
import { buyPro } from './steps/buy-pro.ts'
import type { PaymentDeps } from './steps/deps.ts'
import { selectBookingPayer, selectFeeProgress } from './store/booking-payers.ts'
import { selectPaidMonth, selectWhyProEnded } from './store/dues.ts'

/** Billing for the plan, if the network collects payments. */
export const createBilling = (deps: PaymentDeps): Billing => ({
  async buyPro(ctx) {
    await buyPro(deps, accountOf(ctx), ctx, ctx.settings.proMonthlyUsd * 100)
  },
  async whyProEnded({ id }) {
    const due = await selectWhyProEnded(deps.db, id)
    return due && { ...due, pay_url: `${deps.publicUrl}/dashboard/plan` }
  },
  async paidUntil({ id }, at) {
    return (await selectPaidMonth(deps.db, id, at))?.until
  },
  paysByCard: async ({ id }) => (await selectBookingPayer(deps.db, id)).has_card,
})

/** The payment for a booking by its account's card; undefined if something else pays. */
export const cardHooks: Pick<BookingHooks, 'paymentOf'> = {
  async paymentOf(db, bookingId, at) {
    const [progress] = await selectFeeProgress(db, bookingId)
    if (!progress) return undefined
    const { is_due, state, reason, pay_by } = progress
    if (!is_due || state === 'authorized' || state === 'succeeded') return 'settled'
    if (state === 'failed') return { refusal: feeRefusal(reason ?? 'card_declined') }
    return at < pay_by
      ? { payBy: pay_by.toISOString() }
      : { refusal: refusalData('card_no_answer') }
  },
}
