import { byId, type Capability, capability, exampleId } from '../contract/capability.ts'
import { changeCard, payDue } from './operations/pay-due.ts'
import { getPayment, listPayments } from './operations/read-payments.ts'

/** What an account pays to the network. */
export const paymentCapabilities: readonly Capability[] = [
  capability(listPayments, 'GET /api/payments', 'payment.list', {}),
  capability(payDue, 'POST /api/payments', 'payment.create', { due_id: exampleId }),
  capability(changeCard, 'POST /api/payments/card', 'payment.card', {}),
  capability(getPayment, 'GET /api/payments/{id}', 'payment.get', byId),
]
