import { money } from '../../contract/rules/money.ts'
import { networkProfile } from '../../contract/rules/network.ts'
import { dueText } from './descriptions.ts'
import { endsAt, MOST_CHARGES } from './dunning.ts'
import { reasonText } from './payments.ts'

type Owed = Parameters<typeof dueText>[0] & {
  id: string
  amount_minor: number
  currency: string
}
type Failed = {
  failures: number
  reason: string
  since: Date
  next_at: Date | null
  pro_ended_at: Date | null
}

/** How an account can pay, and where. */
type Ways = { cards: boolean; x402: boolean; publicUrl: string }

/** The mail about a payment that failed: what happens next, and where to pay. */
export function dunningMail(owed: Owed, failed: Failed, ways: Ways) {
  const { publicUrl } = ways
  const amount = money(owed.amount_minor, owed.currency)
  const what = `${amount}, ${dueText(owed)}`
  const text = [
    failed.pro_ended_at
      ? `${what}, is still unpaid. Your account is on the free tier now: your bookings stay, and ` +
        'your keys cannot make new ones. Pro comes back as soon as this is paid.'
      : ways.cards
        ? `We could not charge ${what}. ${reasonText(failed.reason)}`
        : `${what}, is due.`,
    ...(failed.pro_ended_at ? [] : [nextText(failed, ways)]),
    '',
    ...(ways.cards ? [`Pay or change the card: ${publicUrl}/dashboard/plan`] : []),
    ...(ways.x402 ? walletText(owed, publicUrl) : []),
    '',
    `${networkProfile.name}, ${publicUrl}\n`,
  ]
  return { subject: subjectOf(amount, failed, ways), text: text.join('\n') }
}

function subjectOf(amount: string, { pro_ended_at }: Failed, { cards }: Ways): string {
  if (pro_ended_at) return `Pro has ended: ${amount} is unpaid`
  return cards ? `Payment failed: ${amount}` : `Payment due: ${amount}`
}

function nextText({ failures, since, next_at }: Failed, { cards }: Ways): string {
  const end = `Pro ends on ${day(endsAt(since))} unless it is paid.`
  const isLast = failures >= MOST_CHARGES || !next_at
  if (!cards) return isLast ? end : `We remind you on ${day(next_at)}. ${end}`
  return isLast ? `We will not try again. ${end}` : `We try again on ${day(next_at)}. ${end}`
}

const walletText = ({ id }: Owed, publicUrl: string): string[] => [
  'Pay from a wallet: let your x402 client send this with a key that has the scope `keys`.',
  `POST ${publicUrl}/api/payments {"due_id": "${id}"}`,
  `How: ${publicUrl}/docs/x402`,
]

const day = (at: Date): string => at.toISOString().slice(0, 10)
