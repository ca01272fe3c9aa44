import type { BookingStatus } from '../../base/booking-status.ts'

/**
 * Notices to a guest about a booking; `kept` if the venue did not agree to the guest's change. A
 * reminder includes its lead time in minutes.
 */
export type GuestNotice =
  | 'offered'
  | 'confirmed'
  | 'amended'
  | 'kept'
  | 'cancelled'
  | 'declined'
  | `reminder:${number}`

type Moving = {
  status: BookingStatus
  fee_status: string
  group_id: string | null
}

/**
 * The notice to a guest when a booking changes status; null for none. Guests are told of a booking
 * only once its fee is owed, so they never hear of a failed part of an itinerary, or of choices
 * that a group drops.
 */
export function guestNoticeOf(
  from: Moving,
  { to, feeStatus }: { to: BookingStatus; feeStatus?: string },
): GuestNotice | null {
  if (to === 'confirmed') return feeStatus === 'accrued' ? 'confirmed' : null
  if (to === 'cancelled') return from.fee_status === 'accrued' ? 'cancelled' : null
  if (to === 'offered') return from.group_id === null ? 'offered' : null
  const isRefused = to === 'declined' || to === 'expired'
  return isRefused && from.status !== 'held' && from.group_id === null ? 'declined' : null
}

/** Whether a guest can see a booking; holds and refused requests are never visible. */
export const hasGuestPage = (status: BookingStatus): boolean =>
  status !== 'held' && status !== 'released' && status !== 'failed'
