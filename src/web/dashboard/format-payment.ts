import type { PaymentState } from '../../payments/rules/payments.ts'
import { badge, type Tone } from '../page/components.ts'
import type { Html } from '../page/html.ts'

const words: Record<PaymentState, readonly [word: string, tone: Tone]> = {
  created: ['to pay', 'wait'],
  processing: ['processing', 'info'],
  unknown: ['being checked', 'wait'],
  succeeded: ['paid', 'good'],
  failed: ['failed', 'bad'],
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
