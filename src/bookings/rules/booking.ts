import type { BookingStatus } from '../../base/booking-status.ts'

/** The only transitions there are; the store refuses any other. */
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

/** The signal of a booking to its group: the booking's status has changed. */
export const MEMBER_MOVED_SIGNAL = 'memberMoved'

/** How long an explicit hold lasts. It can be extended by this once. */
export const HOLD_MINUTES = 5
/** Explicit holds of an account at the same time; `hold_counter_limit` guarantees it. */
export const MAX_HOLDS = 10
/** Amendments of a booking, cancelling not counted; `booking.changes` guarantees it. */
export const MAX_CHANGES = 50

/** Commands to a booking without an answer; those that end it are counted apart. */
export const MAX_OPEN_COMMANDS = 20
/** Commands to a booking within 24 hours; those that end it are counted apart. */
export const MAX_COMMANDS_A_DAY = 100

/**
 * What the venue knows of a booking, as far as the network can tell. `given_up`: it never
 * acknowledged that the booking is over.
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

/** A change that the venue is `asked` for, or must undo because it is off (`restoring`). */
export const changePhases = ['asked', 'restoring'] as const
export type ChangePhase = (typeof changePhases)[number]

/** Bookings that belong together: the first of several alternatives, or an itinerary as a whole. */
export const groupKinds = ['any_of', 'itinerary'] as const
export type GroupKind = (typeof groupKinds)[number]

/** How long an equal request without a key is the same request; later it is a duplicate. */
export const JOIN_MINUTES = 15
