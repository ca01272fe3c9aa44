import { refuse } from '../../base/errors.ts'
import { type Context, isTest } from '../../contract/operation.ts'
import { type PaymentDeps, sandboxPayments } from '../steps/deps.ts'

/** What operations on payments use. */
export type PaymentServices = {
  /** undefined where the network collects no payments */
  payments?: PaymentDeps | undefined
}
export type PaymentContext = Context<PaymentServices>

type Caller = Pick<PaymentContext, 'account' | 'payments'>

/** How an account pays; undefined where the network collects no payments. */
export const optionalPaymentsOf = (ctx: Caller): PaymentDeps | undefined =>
  ctx.payments && isTest(ctx) ? sandboxPayments(ctx.payments) : ctx.payments

/** How an account pays; throws `payments_off` where the network collects no payments. */
export const paymentsOf = (ctx: Caller): PaymentDeps => required(optionalPaymentsOf(ctx))

/** How live accounts pay; throws `payments_off`. */
export const livePaymentsOf = ({ payments }: PaymentServices): PaymentDeps => required(payments)

function required(payments: PaymentDeps | undefined): PaymentDeps {
  if (!payments) throw refuse('payments_off')
  return payments
}
