import type { Unpaid } from '../../accounts/hooks.ts'
import { refuse } from '../../base/errors.ts'
import { withTexts } from '../../contract/local-times.ts'
import type { Account } from '../../contract/operation.ts'
import type { NetworkServices } from '../../network.ts'

/** The refusal of a pro operation to an account that is not on pro. */
export async function planRequired({ billing, settings }: NetworkServices, account: Account) {
  const unpaid = await billing?.whyProEnded(account)
  if (unpaid) return proEnded(account, unpaid)
  const { proMonthlyUsd, feePct, proUpgrade, publicUrl } = settings
  const how =
    proUpgrade === 'self'
      ? `The account moves to pro at ${publicUrl}/dashboard/plan, or with \`POST /api/plan\` ` +
        '{"tier": "pro"} and a key that has the scope `keys`.'
      : 'The operator of this network can move the account to pro: quote `account_id`.'
  const what = [
    `This key is on the free tier; pro costs ${proMonthlyUsd} USD a month and`,
    `${feePct} % per booking.`,
    how,
  ]
  return refuse('plan_required', what.join(' '), {
    required_tier: 'pro',
    account_id: account.id,
    monthly_price: withTexts({ amount_minor: proMonthlyUsd * 100, currency: 'USD' }),
  })
}

/** The refusal when the account's pro tier has lapsed: what is unpaid, and where to pay it. */
function proEnded({ id }: Account, { pay_url, purpose, ...unpaid }: Unpaid) {
  const due = withTexts({ ...unpaid, text: '' })
  const name = purpose === 'pro' ? `the month ${due.month}` : `invoice ${due.number}`
  const what =
    `Pro has ended because ${due.text} is unpaid: ${name}. It comes back as soon as ` +
    `that is paid at ${pay_url}, or with \`POST /api/payments\` and a key with the scope \`keys\`.`
  return refuse('plan_required', what, {
    required_tier: 'pro',
    account_id: id,
    unpaid: {
      due_id: due.id,
      amount_minor: due.amount_minor,
      text: due.text,
      currency: due.currency,
    },
    pay_url,
  })
}
