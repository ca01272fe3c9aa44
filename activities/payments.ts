import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Facilitator } from '../src/x402/rules/facilitator.ts'
import { checkFailed } from '../src/x402/steps/send-refunds.ts'
import { settlePayment } from '../src/x402/steps/settle-payment.ts'
import { whileBeating } from './while-beating.ts'

export type PaymentActivities = ReturnType<typeof createPaymentActivities>
export type PaymentActivityDeps = { db: Pool; log: Log; facilitator: Facilitator | undefined }

/** Money movements, run only by the `venues` queue's worker, which may call outside the network. */
export const createPaymentActivities = ({ facilitator, ...deps }: PaymentActivityDeps) => ({
  async settlePayment({ bookingId }: BookingStart) {
    if (!facilitator) throw new Error('X402_FACILITATOR is not set, and a payment is open')
    const paying = { db: deps.db, facilitator }
    await whileBeating(() => settlePayment(paying, bookingId, new Date()))
  },
  async checkFailedPayments() {
    if (facilitator) await whileBeating(() => checkFailed({ ...deps, facilitator }, new Date()))
  },
})
