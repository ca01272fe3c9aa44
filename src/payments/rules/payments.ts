import failureReasons from './failure-reasons.json' with { type: 'json' }

export const paymentStates = [
  ...(['created', 'processing', 'succeeded', 'failed', 'unknown', 'authorized'] as const),
] as const
export type PaymentState = (typeof paymentStates)[number]

/** What an account can owe: a month of pro bought now, or an invoice. */
export const duePurposes = ['pro', 'invoice'] as const
/** What a payment can be for: what is due, or the fee of one booking. */
export const purposes = [...duePurposes, 'booking'] as const

/** Whether a payment may still succeed, so that no other may begin. */
export const isInFlight = ({ state }: { state: PaymentState }): boolean =>
  state === 'created' || state === 'processing' || state === 'unknown'

/** How long to wait before querying the provider about a charge. */
export const ASK_AFTER_MS = 2 * 60_000

/** How long a charge may be in transit. One still unknown to the provider then never happened. */
export const SENT_WITHIN_MS = 15 * 60_000

/** Failure reasons in providers' terms, each with a sentence for the customer. */
const reasons: Readonly<Record<string, string>> = failureReasons

/** Why a payment failed, in a sentence. */
export const reasonText = (reason: string): string => reasons[reason] ?? 'The card was declined.'

/** Failures that are not due to the customer’s payment method. */
const notTheirs = ['amount_too_small', 'not_received', 'page_expired']

export const isTheirs = (reason: string): boolean => !notTheirs.includes(reason)
