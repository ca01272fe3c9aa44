/** What the public feed tells of. */
export const activityTypes = ['booking.confirmed', 'slot.opened', 'venue.added'] as const

const HOUR_MS = 3_600_000
/** A step that ends in an hour may still be committing when the hour is over. */
const GRACE_MS = 120_000

/**
 * Bookings and opened slots of the hours before this may be published at `at`: never while their hour lasts, as who watches would see
 * the moment.
 */
export const publishableUntil = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - GRACE_MS) / HOUR_MS) * HOUR_MS)
