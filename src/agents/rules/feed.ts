import { HOUR_MS } from '../../base/durations.ts'

/** Activities of the public feed. */
export const activityTypes = ['booking.confirmed', 'slot.opened', 'venue.added'] as const

/** A step that ends in an hour may still be committing after it. */
const GRACE_MS = 120_000

/** The end of the last hour to publish at `at`. The current hour would reveal the moment. */
export const publishableUntil = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS)
