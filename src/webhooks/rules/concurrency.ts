/** Requests to one endpoint at the same time. */
const MAX_CONCURRENCY = 20
/** What a new endpoint begins with. */
export const INITIAL_CONCURRENCY = 5
const MIN_CONCURRENCY = 2
/** An endpoint that takes longer keeps sockets from the others, so it gets fewer. */
const SLOW_MS = 2_000

/** Places after some requests: twice as many when all were answered well and quickly, half when the slowest was slow or any has failed. */
export const concurrencyAfter = (
  concurrency: number,
  { slowestMs, hasFailed }: { slowestMs: number; hasFailed: boolean },
): number =>
  hasFailed || slowestMs > SLOW_MS
    ? Math.max(MIN_CONCURRENCY, Math.floor(concurrency / 2))
    : Math.min(MAX_CONCURRENCY, concurrency * 2)

/**
 * How many may be sent at one moment to an endpoint that takes `perSecond`, and how long after a moment with `sent` the next one comes,
 * in milliseconds. What is not used is not saved up, so no second sees more than `perSecond`.
 */
export const burstSize = (perSecond: number): number => Math.max(1, Math.floor(perSecond / 50))
export const burstGapMs = (perSecond: number, sent: number): number => (sent * 1000) / perSecond
