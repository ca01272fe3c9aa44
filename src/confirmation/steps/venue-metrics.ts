import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'
import { countReadings, readingStates } from '../store/connectors.ts'

/** A finished call to a venue: the request, and the answer or failure. */
export type VenueCall = { message: string; result: string; ms: number }

/** Counts calls to venues. Groups HTTP statuses by hundreds, to keep the number of labels low. */
export const countVenueCalls =
  ({ venueCalls }: Pick<Metrics, 'venueCalls'>) =>
  ({ message, result, ms }: VenueCall): void =>
    venueCalls.observe({ message, result: result.replace(/^(status \d).*/, '$1xx') }, ms / 1000)

/** At each scrape, reports how the latest readings of venues went, unless that takes over 1 s. */
export function showReadings({ beforeScrape, venueReadings }: Metrics, db: Db): () => void {
  return beforeScrape(async () => {
    venueReadings.reset()
    const counts = await withinScrape(countReadings(db, new Date(Date.now() - READING_LATE_MS)))
    if (!counts) return
    for (const state of readingStates) venueReadings.set({ state }, counts.get(state) ?? 0)
  })
}
