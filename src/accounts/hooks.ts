import type { Account, Context } from '../contract/operation.ts'

/** The unpaid amount that ended the account's pro tier. */
export type Unpaid = {
  id: string
  purpose: 'pro' | 'invoice'
  number: string | null
  month: string
  amount_minor: number
  currency: string
  /** where a member of the account can pay it */
  pay_url: string
}

/** Payments for the plan, if the network collects them. */
export type Billing = {
  /**
   * Charges for this month of pro and, once paid, moves the account to pro. Throws
   * `payment_required` with the page to pay on, or `payment_pending` while a charge is undecided.
   */
  buyPro(ctx: PlanContext): Promise<void>
  whyProEnded(account: Pick<Account, 'id'>): Promise<Unpaid | undefined>
  /** Whether the account's saved card pays the fee of each booking while it is not on pro. */
  paysByCard(account: Pick<Account, 'id'>): Promise<boolean>
  /** When the month of pro that contains `at` ends, if it was paid in advance. */
  paidUntil(account: Pick<Account, 'id'>, at: Date): Promise<string | undefined>
}

/** Services used by operations on the plan. */
type PlanServices = {
  /** undefined if the network collects no payments */
  billing?: Billing | undefined
  settings: {
    proMonthlyUsd: number
    requestsPerDay: { free: number; pro: number; test: number }
    proUpgrade: 'self' | 'operator'
  }
}
export type PlanContext = Context<PlanServices>
