import { type Collected, collectInSandbox, collectPayments } from '../src/payments/steps/collect.ts'
import { type PaymentDeps, sandboxPayments } from '../src/payments/steps/deps.ts'
import { type MailDeps, mailDunning } from '../src/payments/steps/mail-dunning.ts'
import { eachStep, type Pass } from '../src/platform/process/work-through.ts'

export type CollectActivities = ReturnType<typeof createCollectActivities>
export type CollectDeps = {
  proMonthlyUsd: number
  /** undefined if the network collects no payments */
  payments: PaymentDeps | undefined
  /** undefined without mail */
  sendMail: MailDeps['sendMail'] | undefined
}

/** Collects amounts due, on the `venues` queue's worker, which calls other systems. */
export const createCollectActivities = ({ payments, sendMail, proMonthlyUsd }: CollectDeps) => ({
  async collectPayments(at: number): Promise<Collected | null> {
    if (!payments) return null
    const live = { ...payments, proMonthlyMinor: proMonthlyUsd * 100 }
    const done = await eachStep({
      sandboxes: () => collectInSandbox(sandboxPayments(payments), new Date(at)),
      live: () => collectPayments(live, new Date(at)),
    })
    return done.live
  },
  mailDunning: async (at: number): Promise<Pass | null> =>
    payments && sendMail ? mailDunning({ ...payments, sendMail }, new Date(at)) : null,
})
