import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import type { Rounds } from '../src/contract/rules/rounds.ts'
import type { Pool } from '../src/platform/database/sql.ts'
import type { Pass } from '../src/platform/process/work-through.ts'
import type { Facilitator } from '../src/x402/facilitator.ts'
import { checkFailed, sendRefunds } from '../src/x402/steps/send-refunds.ts'
import { settlePayment } from '../src/x402/steps/settle-payment.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'
import { whileBeating } from './while-beating.ts'

export type PaymentActivities = ReturnType<typeof createPaymentActivities>
export type PaymentActivityDeps = RoundsDeps & { db: Pool; facilitator: Facilitator | undefined }

/** What moves money, run only by the worker of the queue `venues`, which may leave the network. */
export const createPaymentActivities = ({ facilitator, ...deps }: PaymentActivityDeps) => ({
  async settlePayment({ bookingId }: BookingStart) {
    if (!facilitator) throw new Error('X402_FACILITATOR is not set, and a payment is open')
    const paying = { db: deps.db, facilitator }
    await whileBeating(() => settlePayment(paying, bookingId, new Date()))
  },
  async refundInRounds(rounds: Rounds): Promise<Pass[]> {
    if (!facilitator) return []
    const paying = { ...deps, facilitator }
    return inRounds(rounds, deps, async (at) => [
      await checkFailed(paying, at),
      await sendRefunds(paying, at),
    ])
  },
})
