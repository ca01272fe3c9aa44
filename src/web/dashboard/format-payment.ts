import type { PaymentState, purposes } from '../../payments/rules/payments.ts'
import { badge, type Tone } from '../page/components.ts'
import type { Html } from '../page/html.ts'

const words: Record<PaymentState, readonly [word: string, tone: Tone]> = {
  created: ['to pay', 'wait'],
  processing: ['processing', 'info'],
  unknown: ['being checked', 'wait'],
  authorized: ['reserved', 'info'],
  succeeded: ['paid', 'good'],
  failed: ['failed', 'bad'],
}

/** What a payment is for, in words. */
export const purposeWords: Record<(typeof purposes)[number], string> = {
  pro: 'Pro tier',
  invoice: 'Invoice',
  booking: 'Fee of a booking',
}

type PaymentAmounts = { state: PaymentState; refunded_minor: number; amount_minor: number }

/** The state of a payment as a coloured word, refunds included. */
export function paymentBadge({ state, refunded_minor, amount_minor }: PaymentAmounts): Html {
  if (refunded_minor > 0) {
    return badge(refunded_minor === amount_minor ? 'refunded' : 'partly refunded', 'quiet')
  }
  const [word, tone] = words[state]
  return badge(word, tone)
}
