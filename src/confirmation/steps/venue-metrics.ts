import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'
import { type ReadingState, readingStates } from '../store/connectors.ts'

/** A finished call to a venue: the request, and its answer or why there was none. */
export type VenueCall = { message: string; result: string; ms: number }

/** Counts calls to venues. HTTP statuses are grouped by hundreds, so that the label stays small. */
export const countVenueCalls =
  ({ venueCalls }: Pick<Metrics, 'venueCalls'>) =>
  ({ message, result, ms }: VenueCall): void =>
    venueCalls.observe({ message, result: result.replace(/^(status \d).*/, '$1xx') }, ms / 1000)

/** Shows at every scrape how venues were last read, unless the database takes over a second. */
export function showReadings(
  { beforeScrape, venueReadings }: Metrics,
  read: () => Promise<ReadonlyMap<ReadingState, number>>,
): () => void {
  return beforeScrape(async () => {
    venueReadings.reset()
    const counts = await withinScrape(read())
    if (!counts) return
    for (const state of readingStates) venueReadings.set({ state }, counts.get(state) ?? 0)
  })
}
