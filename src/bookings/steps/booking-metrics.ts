import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'

/** Shows at every scrape how many bookings are overdue, unless the database takes over a second. */
export const showOverdue = (
  { beforeScrape, overdueBookings }: Metrics,
  count: () => Promise<number>,
): (() => void) =>
  beforeScrape(async () => {
    overdueBookings.remove()
    const overdue = await withinScrape(count())
    if (overdue !== undefined) overdueBookings.set(overdue)
  })
