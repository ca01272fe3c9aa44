import type { BookingStatus } from '../../base/booking-status.ts'

/** All allowed transitions; the store refuses any other. */
export const transitions: Record<BookingStatus, readonly BookingStatus[]> = {
  held: ['confirmed', 'pending', 'expired', 'released', 'failed'],
  pending: ['confirmed', 'declined', 'expired', 'cancelled', 'offered'],
  offered: ['confirmed', 'declined', 'expired', 'cancelled'],
  confirmed: ['completed', 'no_show', 'cancelled'],
  completed: ['no_show'],
  no_show: ['completed'],
  declined: [],
  expired: [],
  released: [],
  cancelled: [],
  failed: [],
}

/** A booking's signal to its group that the booking's status has changed. */
export const MEMBER_MOVED_SIGNAL = 'memberMoved'

/** The length of an explicit hold, which can be extended once by the same length. */
export const HOLD_MINUTES = 5
/** Maximum number of explicit holds per account; `hold_counter_limit` enforces it. */
export const MAX_HOLDS = 10
/** Maximum number of amendments to a booking; a constraint on `booking.changes` enforces it. */
export const MAX_CHANGES = 50

/** Maximum unanswered commands per booking; those that end it are counted separately. */
export const MAX_OPEN_COMMANDS = 20
/** Maximum commands per booking in 24 hours; those that end it are counted separately. */
export const MAX_COMMANDS_A_DAY = 100

/**
 * What a venue knows about a booking, as far as the network can tell. `given_up`: the venue never
 * acknowledged the booking's end.
 */
export const venueSyncs = [
  'not_sent',
  'sent',
  'acknowledged',
  'withdraw_due',
  'withdrawn',
  'given_up',
] as const
export type VenueSync = (typeof venueSyncs)[number]

/** The venue is `asked` for a change, or must undo a dropped change (`restoring`). */
export const changePhases = ['asked', 'restoring'] as const
export type ChangePhase = (typeof changePhases)[number]

/** Bookings that belong together: alternatives (at most one is booked), or a whole itinerary. */
export const groupKinds = ['any_of', 'itinerary'] as const
export type GroupKind = (typeof groupKinds)[number]

/** An equal request without a key counts as a repetition for this long, then as a duplicate. */
export const JOIN_MINUTES = 15
