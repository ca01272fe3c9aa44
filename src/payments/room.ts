import { byId, capability, exampleId } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { changeCard, payDue } from './operations/pay-due.ts'
import { getPayment, listPayments } from './operations/read-payments.ts'
import { paymentsOnClock } from './steps/clock-part.ts'

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
  clock: paymentsOnClock,
  schedules: [
    {
      workflow: 'collect',
      every: '15m',
      longest: '14m',
      does: 'Charges what is due, queries undecided payments, sends emails about failed ones',
    },
  ],
  activities: {
    venues: async () => (await import('../../activities/collect.ts')).createCollectActivities,
  },
} as const satisfies Room
