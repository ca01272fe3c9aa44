import { refuse } from '../../base/errors.ts'
import { type Context, isTest } from '../../contract/operation.ts'
import { type PaymentDeps, sandboxPayments } from '../steps/deps.ts'

/** Services used by operations on payments. */
export type PaymentServices = {
  /** undefined if the network collects no payments */
  payments?: PaymentDeps | undefined
}
export type PaymentContext = Context<PaymentServices>

type Caller = Pick<PaymentContext, 'account' | 'payments'>

/** Payments in the caller's mode; undefined if the network collects none. */
export const optionalPaymentsOf = (ctx: Caller): PaymentDeps | undefined =>
  ctx.payments && isTest(ctx) ? sandboxPayments(ctx.payments) : ctx.payments

/** Payments in the caller's mode; throws `payments_off` if the network collects none. */
export const paymentsOf = (ctx: Caller): PaymentDeps => required(optionalPaymentsOf(ctx))

/** Payments of live accounts; throws `payments_off`. */
export const livePaymentsOf = ({ payments }: PaymentServices): PaymentDeps => required(payments)

function required(payments: PaymentDeps | undefined): PaymentDeps {
  if (!payments) throw refuse('payments_off')
  return payments
}
