import { byId, capability, exampleId } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { emptyPass } from '../platform/process/work-through.ts'
import { cardHooks } from './hooks.ts'
import { withCards } from './operations/pay-by-card.ts'
import { changeCard, payDue } from './operations/pay-due.ts'
import { getPayment, listPayments } from './operations/read-payments.ts'
import { finishFees } from './steps/authorize-fee.ts'
import { paymentsOnClock } from './steps/clock-part.ts'
import type { PaymentDeps } from './steps/deps.ts'

const capabilities = [
  capability(listPayments, 'GET /api/payments', 'payment.list', {}),
  capability(payDue, 'POST /api/payments', 'payment.create', { due_id: exampleId }),
  capability(changeCard, 'POST /api/payments/card', 'payment.card', {}),
  capability(getPayment, 'GET /api/payments/{id}', 'payment.get', byId),
]

/** Payments by accounts to the network. */
export const payments = {
  name: 'payments',
  capabilities,
  wrap: withCards,
  bookingHooks: () => cardHooks,
  clock: paymentsOnClock,
  schedules: [
    {
      workflow: 'collect',
      every: '15m',
      longest: '14m',
      does: 'Charges what is due, queries undecided payments, sends emails about failed ones',
    },
  ],
  sweep: ({ payments }: { payments?: PaymentDeps | undefined }) => ({
    'card-fees': async (at: Date) => (payments ? finishFees(payments, at) : emptyPass),
  }),
  activities: {
    venues: async () => (await import('../../activities/collect.ts')).createCollectActivities,
  },
} as const satisfies Room
