import type { BookingStatus } from '../../base/booking-status.ts'

/** The languages that guests are written to. */
export const guestLanguages = ['en', 'id'] as const
export type GuestLanguage = (typeof guestLanguages)[number]

/** What a guest is told of a booking. A reminder carries its minutes before the slot. */
export type GuestNotice = 'confirmed' | 'amended' | 'cancelled' | 'declined' | `reminder:${number}`

type Moving = {
  status: BookingStatus
  fee_status: string
  group_id: string | null
}

/**
 * What a guest is told when a booking moves; null for nothing. A booking is confirmed for its guest
 * once its fee is owed, so that a part of an itinerary that fails is never heard of. Nor are
 * choices that a group gives up for others.
 */
export function guestNoticeOf(
  from: Moving,
  { to, feeStatus }: { to: BookingStatus; feeStatus?: string },
): GuestNotice | null {
  if (to === 'confirmed') return feeStatus === 'accrued' ? 'confirmed' : null
  if (to === 'cancelled') return from.fee_status === 'accrued' ? 'cancelled' : null
  const isRefused = to === 'declined' || to === 'expired'
  return isRefused && from.status !== 'held' && from.group_id === null ? 'declined' : null
}

/** Whether a guest can be shown a booking: a hold is not one yet, and a refused request never. */
export const hasGuestPage = (status: BookingStatus): boolean =>
  status !== 'held' && status !== 'released' && status !== 'failed'
