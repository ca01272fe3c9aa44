/** Requests to one endpoint at the same time. */
export const MOST_PLACES = 20
/** What a new endpoint begins with. */
export const FIRST_PLACES = 5
const FEWEST_PLACES = 2
/** An endpoint that takes longer keeps sockets from the others, so it gets fewer. */
const SLOW_MS = 2_000

/** Places after some requests: twice as many when all were answered well and quickly, half when the slowest was slow or any has failed. */
export const placesAfter = (
  places: number,
  { slowestMs, hasFailed }: { slowestMs: number; hasFailed: boolean },
): number =>
  hasFailed || slowestMs > SLOW_MS
    ? Math.max(FEWEST_PLACES, Math.floor(places / 2))
    : Math.min(MOST_PLACES, places * 2)

/**
 * How many may be sent at one moment to an endpoint that takes `perSecond`, and how long after a moment with `sent` the next one comes,
 * in milliseconds. What is not used is not saved up, so no second sees more than `perSecond`.
 */
export const lumpOf = (perSecond: number): number => Math.max(1, Math.floor(perSecond / 50))
export const restMs = (perSecond: number, sent: number): number => (sent * 1000) / perSecond
