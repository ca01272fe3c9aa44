import type { StepContext } from '../../bookings/hooks.ts'
import type { BookingState } from '../../bookings/rules/booking-messages.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { end } from '../../bookings/steps/end-booking.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, updateBookingStatus } from '../../bookings/store/bookings.ts'
import type { Done } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'

/** Ends a booking whose guests did not come: the fee stays. Part of a step's transaction. */
export const missed = (
  tx: Db,
  booking: LockedBooking,
  venueAnsweredAt: Date,
  { at, ...deps }: StepContext,
): Promise<Done<BookingState>> => {
  const move = { to: 'no_show', reasonCode: 'no_show', nextActionAt: null } as const
  const ending = { ...move, ...reasons.venueReportsNoShow, venueAnsweredAt, at }
  return end(tx, booking, ending, deps)
}

/** Corrects a no-show: they did come. */
export async function attended(
  tx: Db,
  missing: LockedBooking,
  venueAnsweredAt: Date,
  at: Date,
): Promise<Done<BookingState>> {
  const move = { to: 'completed', reasonCode: 'attended', nextActionAt: null } as const
  const result = await updateBookingStatus(tx, missing, {
    ...move,
    ...reasons.venueCorrectsNoShow,
    venueAnsweredAt,
    at,
  })
  const booking = await selectBooking(tx, missing.id)
  return { result, events: [{ type: 'booking.completed', data: { booking } }] }
}
