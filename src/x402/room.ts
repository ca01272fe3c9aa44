import type { Room } from '../contract/room.ts'
import { paymentHooks } from './hooks.ts'
import { withPayments } from './operations/with-payments.ts'
import { type RefundDeps, sendRefunds } from './steps/send-refunds.ts'

/** A booking's fee, paid by x402. */
export const x402 = {
  name: 'x402',
  wrap: withPayments,
  bookingHooks: () => paymentHooks,
  schedules: [
    {
      workflow: 'paymentUpkeep',
      every: '1h',
      longest: '20m',
      does: 'Rechecks failed x402 payments',
    },
  ],
  sweep: (deps: RefundDeps) => ({ 'x402-refunds': (at: Date) => sendRefunds(deps, at) }),
  activities: {
    venues: async () => (await import('../../activities/payments.ts')).createPaymentActivities,
  },
} as const satisfies Room
