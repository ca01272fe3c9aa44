import type { StepDeps } from '../src/bookings/hooks.ts'
import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import { settleFee } from '../src/payments/steps/authorize-fee.ts'
import type { PaymentDeps } from '../src/payments/steps/deps.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Facilitator } from '../src/x402/rules/facilitator.ts'
import { checkFailed } from '../src/x402/steps/send-refunds.ts'
import { settlePayment } from '../src/x402/steps/settle-payment.ts'
import { whileBeating } from './while-beating.ts'

export type PaymentActivities = ReturnType<typeof createPaymentActivities>
export type PaymentActivityDeps = {
  db: Pool
  log: Log
  facilitator: Facilitator | undefined
  payments: PaymentDeps | undefined
  steps: StepDeps
}

/** Money movements, run only by the `venues` queue's worker, which may call outside the network. */
export const createPaymentActivities = ({
  facilitator,
  payments,
  steps,
  ...deps
}: PaymentActivityDeps) => ({
  async settlePayment({ bookingId, payment }: BookingStart) {
    if (payment?.feeMinor === undefined) {
      if (!payments) throw new Error('PAYMENTS is not set, and a card is to be charged')
      const { feePct } = steps.terms
      await whileBeating(() => settleFee(payments, bookingId, feePct, new Date()))
      return
    }
    if (!facilitator) throw new Error('X402_FACILITATOR is not set, and a payment is open')
    const paying = { db: deps.db, facilitator }
    await whileBeating(() => settlePayment(paying, bookingId, new Date()))
  },
  async checkFailedPayments() {
    if (facilitator) await whileBeating(() => checkFailed({ ...deps, facilitator }, new Date()))
  },
})
