import type { Db } from '../../platform/database/sql.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'
import { countStuckBookings } from '../store/stuck-bookings.ts'

/** At each scrape, reports how many bookings are overdue, unless that takes over a second. */
export const showOverdue = ({ beforeScrape, overdueBookings }: Metrics, db: Db): (() => void) =>
  beforeScrape(async () => {
    overdueBookings.remove()
    const overdue = await withinScrape(countStuckBookings(db, new Date()))
    if (overdue !== undefined) overdueBookings.set(overdue)
  })
