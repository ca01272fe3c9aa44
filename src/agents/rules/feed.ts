import { HOUR_MS } from '../../base/durations.ts'

/** Activity types of the public feed. */
export const activityTypes = ['booking.confirmed', 'slot.opened', 'venue.added'] as const

/** A step from the end of an hour may commit after it. */
const GRACE_MS = 120_000

/** The end of the last hour to publish at `at`. The current hour would reveal the moment. */
export const publishableUntil = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS)
