import type { Billing } from '../accounts/hooks.ts'
import { accountOf } from '../contract/operation.ts'
import { buyPro } from './steps/buy-pro.ts'
import type { PaymentDeps } from './steps/deps.ts'
import { selectPaidMonth, selectWhyProEnded } from './store/dues.ts'

/** Billing for the plan, if the network collects payments. */
export const createBilling = (deps: PaymentDeps): Billing => ({
  async buyPro(ctx) {
    await buyPro(deps, accountOf(ctx), ctx, ctx.settings.proMonthlyUsd * 100)
  },
  async whyProEnded({ id }) {
    const due = await selectWhyProEnded(deps.db, id)
    return due && { ...due, pay_url: `${deps.publicUrl}/dashboard/plan` }
  },
  async paidUntil({ id }, at) {
    return (await selectPaidMonth(deps.db, id, at))?.until
  },
})
