import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'

/** From a request to its first answer */
export const ANSWER_MS = 30 * SECOND_MS
/** Added to the time that a venue has to answer */
export const VENUE_TOLERANCE_MS = MINUTE_MS
/** From a venue's cancellation until alternatives are offered */
export const RECOVERY_MS = MINUTE_MS
/** From an event to the first attempt at an endpoint that has no failures or backlog */
export const WEBHOOK_MS = 2 * MINUTE_MS

/** The network's promises about a booking, worded as in docs/guides/guarantees.md. */
export const promises = {
  answer: {
    title: 'Final answer',
    text:
      'A booking request gets its final answer within 30 s or, if the venue decides, within its ' +
      'time to answer plus 60 s.',
  },
  recovery: {
    title: 'Alternatives',
    text: 'If a venue cancels a confirmed booking, you get alternatives within 60 s.',
  },
  webhook: {
    title: 'Webhooks',
    text:
      'An event is first sent to each active endpoint within 120 s, unless the endpoint fails, ' +
      'is paused or has a rate limit.',
  },
  one_sale: { title: 'One sale', text: 'A confirmed slot is never sold twice.' },
} as const
export type PromiseName = keyof typeof promises
