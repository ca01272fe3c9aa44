import { money } from '../../base/money.ts'
import { networkProfile } from '../../base/network.ts'
import { dueText } from './descriptions.ts'
import { endsAt, MAX_CHARGES } from './dunning.ts'
import { reasonText } from './payments.ts'

type UnpaidDue = Parameters<typeof dueText>[0] & { amount_minor: number; currency: string }
type Failure = {
  failures: number
  reason: string
  since: Date
  next_at: Date | null
  pro_ended_at: Date | null
}

/** The email about a failed payment, which says what happens next and where to pay. */
export function dunningMail(due: UnpaidDue, failure: Failure, publicUrl: string) {
  const amount = money(due.amount_minor, due.currency)
  const what = `${amount}, ${dueText(due)}`
  const text = [
    failure.pro_ended_at
      ? `${what}, is still unpaid. Your account is on the free tier now: your bookings stay, and ` +
        'your keys cannot make new ones. Pro comes back as soon as this is paid.'
      : `We could not charge ${what}. ${reasonText(failure.reason)}`,
    ...(failure.pro_ended_at ? [] : [nextText(failure)]),
    '',
    `Pay or change the card: ${publicUrl}/dashboard/plan`,
    '',
    `${networkProfile.name}, ${publicUrl}\n`,
  ]
  const subject = failure.pro_ended_at
    ? `Pro has ended: ${amount} is unpaid`
    : `Payment failed: ${amount}`
  return { subject, text: text.join('\n') }
}

function nextText({ failures, since, next_at }: Failure): string {
  const end = `Pro ends on ${day(endsAt(since))} unless it is paid.`
  const isLast = failures >= MAX_CHARGES || !next_at
  return isLast ? `We will not try again. ${end}` : `We try again on ${day(next_at)}. ${end}`
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
