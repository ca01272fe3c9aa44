import { HOUR_MS } from '../../base/durations.ts'

/** Activity types of the public feed. */
export const activityTypes = ['booking.confirmed', 'slot.opened', 'venue.added'] as const

/** A step that ran near the end of an hour may commit in the next hour. */
const GRACE_MS = 120_000

/** The end of the last hour publishable at `at`. The current hour would reveal exact times. */
export const publishableUntil = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS)
