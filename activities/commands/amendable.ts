import { MOST_CHANGES } from '../../src/model/booking.ts'
import type { LockedBooking } from '../../src/store/bookings.ts'
import { type CommandDone, refused } from './define.ts'

/** Why a booking cannot be amended as it stands, whatever is asked; undefined when it can. */
export function whyNotAmendable(booking: LockedBooking, at: Date): CommandDone | undefined {
  const { status, starts_at, hold_until, changes, confirm_mode } = booking
  if (status === 'pending' || status === 'offered') return refused('not_decided_yet', booking)
  if (status === 'expired') return refused('hold_expired', booking)
  if (status === 'held' && booking.group_kind === 'itinerary') {
    return refused('part_of_itinerary', booking)
  }
  if (status !== 'held' && status !== 'confirmed') return refused('already_final', booking)
  if (starts_at <= at) return refused('already_final', booking, 'The slot has begun.')
  if (status === 'held' && hold_until && hold_until <= at) return refused('hold_expired', booking)
  if (changes >= MOST_CHANGES) {
    return refused('too_many_changes', booking, `It was changed ${changes} times.`)
  }
  // The venue was asked for what is booked, and knows of nothing else.
  if (status === 'confirmed' && confirm_mode !== 'auto')
    return refused('amend_not_supported', booking)
  return undefined
}
