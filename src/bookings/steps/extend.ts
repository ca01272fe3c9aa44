import type { RunCommand } from '../hooks.ts'
import { HOLD_MINUTES } from '../rules/booking.ts'
import { updateHoldUntil } from '../store/booking-changes.ts'
import { selectBooking } from '../store/booking-view.ts'
import { refused } from './refused.ts'

/** Extends a hold, once. */
export const extend: RunCommand = async (tx, booking, _, { at }) => {
  const { status, hold_until, hold_extended } = booking
  if (status === 'expired') return refused('hold_expired', booking)
  if (status !== 'held' || !hold_until) return refused('already_final', booking)
  if (booking.group_kind === 'itinerary') return refused('part_of_itinerary', booking)
  if (hold_until <= at) return refused('hold_expired', booking, 'The hold is over.')
  if (hold_extended) {
    const what = `It was extended to ${hold_until.toISOString()}.`
    return refused('already_extended', booking, what, { hold_until: hold_until.toISOString() })
  }
  const until = new Date(hold_until.getTime() + HOLD_MINUTES * 60_000)
  await updateHoldUntil(tx, booking, { until, at })
  return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
}
