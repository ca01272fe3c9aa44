import type { Pass } from '../process/work-through.ts'
import type { Metrics } from './metrics.ts'

/** Counts what a step of the sweep, or of retention, did for all rows. */
export type CountPass = (step: string, pass: Pass) => void

/** Counts the rows that a step failed for, and the bookings that the sweep resumed. */
export const countPasses =
  ({
    sweepFailures,
    resumedBookings,
  }: Pick<Metrics, 'sweepFailures' | 'resumedBookings'>): CountPass =>
  (step, { done, failed }) => {
    sweepFailures.inc({ activity: step }, failed)
    if (step === 'resumeLostBookings') resumedBookings.inc(done)
  }
