/** Maximum concurrent requests to one endpoint. */
const MAX_CONCURRENCY = 20
/** The initial limit of a new endpoint. */
export const INITIAL_CONCURRENCY = 5
const MIN_CONCURRENCY = 2
/** Slower endpoints occupy sockets longer, so they are allowed fewer requests. */
const SLOW_MS = 2_000

/** Doubles only after fast successes; halves after a failure or a slow response. */
export const concurrencyAfter = (
  concurrency: number,
  { slowestMs, hasFailed }: { slowestMs: number; hasFailed: boolean },
): number =>
  hasFailed || slowestMs > SLOW_MS
    ? Math.max(MIN_CONCURRENCY, Math.floor(concurrency / 2))
    : Math.min(MAX_CONCURRENCY, concurrency * 2)

/**
 * Rate limit: at most `burstSize` requests at once, then a pause of `burstGapMs`. Unused capacity
 * does not accumulate, so requests in a second never exceed `perSecond`.
 */
export const burstSize = (perSecond: number): number => Math.max(1, Math.floor(perSecond / 50))
export const burstGapMs = (perSecond: number, count: number): number => (count * 1000) / perSecond
