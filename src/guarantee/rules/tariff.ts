import { MINUTE_MS, SECOND_MS } from '../../contract/rules/durations.ts'

/** What the guarantee promises about a booking; docs/guides/guarantees.md has the same table. */
export const promises = ['answer', 'recovery', 'webhook', 'one_sale'] as const
export type PromiseName = (typeof promises)[number]

type Promised = {
  title: string
  /** in a sentence, for pages and answers */
  promise: string
  /** how long the network has; null for what must never happen */
  withinMs: number | null
  /** what one breach is credited with, in `CREDIT_CURRENCY` */
  creditMinor: number
}

export const ANSWER_MS = 30 * SECOND_MS
/** Added to the time that a venue has for its answer. */
export const VENUE_TOLERANCE_MS = MINUTE_MS
export const RECOVERY_MS = MINUTE_MS
export const WEBHOOK_MS = 2 * MINUTE_MS

/** The tariff: each promise, its number and the credit for a breach. */
export const tariff: Readonly<Record<PromiseName, Promised>> = {
  answer: {
    title: 'Final answer',
    promise:
      'A booking request gets its final answer within 30 s. If the venue answers itself: within ' +
      'its time to answer plus 60 s.',
    withinMs: ANSWER_MS,
    creditMinor: 100,
  },
  recovery: {
    title: 'Alternatives',
    promise:
      'If a venue cancels a confirmed booking, you get alternatives within 60 s. If it does not ' +
      'answer a request, the refusal has alternatives.',
    withinMs: RECOVERY_MS,
    creditMinor: 500,
  },
  webhook: {
    title: 'Webhooks',
    promise:
      'An event is first sent to each active endpoint within 120 s, unless the endpoint fails, ' +
      'is paused or has a rate limit. Then its deliveries are listed as waiting.',
    withinMs: WEBHOOK_MS,
    creditMinor: 10,
  },
  one_sale: {
    title: 'One sale',
    promise: 'A confirmed slot is never sold twice.',
    withinMs: null,
    creditMinor: 5_000,
  },
}

export const CREDIT_CURRENCY = 'USD'

/** The most that an account is credited with for the breaches of one month (UTC). */
export const MOST_CREDITED_MONTHLY_MINOR = 50_000

/** What a breach is credited with, given what the month has been credited with so far. */
export function creditFor(promise: PromiseName, isDemo: boolean, creditedMinor: number): number {
  if (isDemo) return 0
  const left = Math.max(0, MOST_CREDITED_MONTHLY_MINOR - creditedMinor)
  return Math.min(tariff[promise].creditMinor, left)
}
