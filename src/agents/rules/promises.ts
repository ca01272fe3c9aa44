import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import texts from './promises.json' with { type: 'json' }

/** From a request to its first answer */
export const ANSWER_MS = 30 * SECOND_MS
/** Added to the time that a venue has to answer */
export const VENUE_TOLERANCE_MS = MINUTE_MS
/** From a venue's cancellation until alternatives are offered */
export const RECOVERY_MS = MINUTE_MS
/** From an event to the first attempt at an endpoint that has no failures or backlog */
export const WEBHOOK_MS = 2 * MINUTE_MS

/** The network's promises about a booking, worded as in docs/guides/guarantees.md. */
export const promises = texts
export type PromiseName = keyof typeof promises
