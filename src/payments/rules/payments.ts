export const paymentStates = ['created', 'processing', 'succeeded', 'failed', 'unknown'] as const
export type PaymentState = (typeof paymentStates)[number]

/** What is paid for: a month of pro that is bought now, or an invoice. */
export const purposes = ['pro', 'invoice'] as const

/** Whether a payment may still take place, so that no other may begin. */
export const isInFlight = ({ state }: { state: PaymentState }): boolean =>
  state === 'created' || state === 'processing' || state === 'unknown'

/** Nobody is asked about what has just been sent. */
export const ASK_AFTER_MS = 2 * 60_000

/** How long a charge may be on its way before one that the provider does not know never was. */
export const SENT_WITHIN_MS = 15 * 60_000

/** Why charges fail, in the words that providers use, and what that means. */
const reasons: Readonly<Record<string, string>> = {
  amount_too_small: 'The amount is too small to be charged by card.',
  authentication_required: 'The bank wants the cardholder to confirm the payment.',
  card_declined: 'The card was declined.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'The card has insufficient funds.',
  no_way_to_pay: 'No card is on file.',
  not_received: 'The charge did not reach the payment provider.',
  page_expired: 'The payment page expired before it was used.',
  processing_error: 'The payment provider could not process the card.',
}

/** Why a payment failed, in a sentence. */
export const reasonText = (reason: string): string => reasons[reason] ?? 'The card was declined.'

/** Failures that say nothing about the customer’s way to pay. */
const notTheirs = ['amount_too_small', 'not_received', 'page_expired']

export const isTheirs = (reason: string): boolean => !notTheirs.includes(reason)
