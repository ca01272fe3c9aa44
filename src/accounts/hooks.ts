import type { Account, Context } from '../contract/operation.ts'

/** The unpaid due that ended pro. */
export type Unpaid = {
  id: string
  purpose: 'pro' | 'invoice'
  number: string | null
  month: string
  amount_minor: number
  currency: string
  /** where a member of the account pays it */
  pay_url: string
}

/** Payments for the plan, where the network collects any. */
export type Billing = {
  /**
   * Charges the month of pro, and moves the account to pro with the payment. Throws
   * `payment_required` with the page to pay on, and `payment_pending` while a charge is undecided.
   */
  buyPro(ctx: PlanContext): Promise<void>
  whyProEnded(account: Pick<Account, 'id'>): Promise<Unpaid | undefined>
  /** The end of the month of pro that `at` is in, if it was paid in advance. */
  paidUntil(account: Pick<Account, 'id'>, at: Date): Promise<string | undefined>
}

/** Services of operations on the plan. */
type PlanServices = {
  /** undefined where the network collects no payments */
  billing?: Billing | undefined
  settings: {
    proMonthlyUsd: number
    requestsPerDay: { free: number; pro: number; test: number }
    proUpgrade: 'self' | 'operator'
  }
}
export type PlanContext = Context<PlanServices>
