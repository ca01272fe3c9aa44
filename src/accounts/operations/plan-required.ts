import { type Refusal, refuse } from '../../base/errors.ts'
import { withTexts } from '../../contract/local-times.ts'
import type { Account, DoorName } from '../../contract/operation.ts'
import type { PlanContext, Unpaid } from '../hooks.ts'

type Asking = Pick<PlanContext, 'billing' | 'settings'> & { door: DoorName }

/**
 * The refusal of a pro operation to an account that is not on pro: the price, who can move it
 * there, and where to try it for nothing. `why` comes first, if something else matters too.
 */
export async function planRequired(
  { billing, settings, door }: Asking,
  account: Pick<Account, 'id'>,
  why?: string,
): Promise<Refusal> {
  const unpaid = await billing?.whyProEnded(account)
  if (unpaid) return proEnded(account, unpaid)
  const { proMonthlyUsd, feePct, proUpgrade, publicUrl } = settings
  const sandbox = `${publicUrl}/docs/sandbox`
  const page = `${publicUrl}/dashboard/plan`
  const how =
    proUpgrade === 'self'
      ? `The account moves to pro at ${page}${commands[door] ?? ''}.`
      : 'The operator of this network can move the account to pro: quote `account_id`.'
  const what = [
    ...(why ? [why] : []),
    'This account is on the free tier.',
    ...(billing
      ? [
          `Your user can save a card at ${page}: it pays ${feePct} % per booking, nothing a month.`,
          'Demo venues charge nothing, but booking there needs a card or pro as well.',
        ]
      : []),
    `${billing ? 'Or pro' : 'Pro'} costs ${proMonthlyUsd} USD a month and ${feePct} % per booking.`,
    how,
    `A test key books in the sandbox free of charge: ${sandbox}.`,
  ]
  return refuse('plan_required', what.join(' '), {
    required_tier: 'pro',
    account_id: account.id,
    monthly_price: withTexts({ amount_minor: proMonthlyUsd * 100, currency: 'USD' }),
    ...((billing || proUpgrade === 'self') && { plan_url: page }),
    sandbox,
  })
}

const scoped = ' {"tier": "pro"} and a key that has the scope `keys`'
const commands: Partial<Record<DoorName, string>> = {
  rest: `, or with \`POST /api/plan\`${scoped}`,
  a2a: `, or with the intent \`plan.change\`${scoped}`,
}

/** The refusal when the account's pro tier has lapsed: what is unpaid, and where to pay it. */
function proEnded({ id }: Pick<Account, 'id'>, { pay_url, purpose, ...unpaid }: Unpaid) {
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
