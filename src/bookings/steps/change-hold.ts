import { refusalData } from '../../contract/rules/errors.ts'
import type { RunCommand } from '../hooks.ts'
import { HOLD_MINUTES } from '../rules/booking.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { updateHoldUntil } from '../store/booking-changes.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import type { OpenCommand } from '../store/commands.ts'
import { updateReminders, updateWaitingAnswers } from '../store/requests.ts'
import { decisionFor } from './decide-booking.ts'
import { end, expireHold } from './end-booking.ts'
import { refused } from './refused.ts'

/** Confirms a hold like any booking; one that is already confirmed is answered as it is. */
export const confirmHold: RunCommand = async (tx, booking, { input }, context) => {
  const { at } = context
  const { id, status, group_kind, group_id, hold_until, starts_at } = booking
  if (status === 'confirmed') {
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  }
  if (status === 'pending' || status === 'offered') return { answer: null, events: [] }
  if (status === 'expired') return refused('hold_expired', booking)
  if (status !== 'held') return refused('already_final', booking)
  // Only the itinerary confirms its own holds; an agent cannot pass a `group_id`.
  if (group_kind === 'itinerary' && group_id !== input.group_id) {
    return refused('part_of_itinerary', booking)
  }
  const isOver = starts_at <= at || (hold_until !== null && hold_until <= at)
  const [, decide] = decisionFor(booking.confirm_mode)
  const { result, events } = isOver
    ? await expireHold(tx, booking, context)
    : await decide(tx, await withReminders(tx, booking, input), context)
  return { answer: result.answer, events }
}

/** Reminders given with the confirmation replace those of the hold. */
async function withReminders(
  tx: Parameters<RunCommand>[0],
  booking: LockedBooking,
  { reminders }: OpenCommand['input'],
): Promise<LockedBooking> {
  if (!Array.isArray(reminders)) return booking
  await updateReminders(tx, booking.id, reminders)
  return { ...booking, reminders }
}

/** Extends a hold, once. */
export const extendHold: RunCommand = async (tx, booking, _, { at }) => {
  const { status, hold_until, hold_extended } = booking
  if (status === 'expired') return refused('hold_expired', booking)
  if (status !== 'held' || !hold_until) return refused('already_final', booking)
  if (booking.group_kind === 'itinerary') return refused('part_of_itinerary', booking)
  if (hold_until <= at) return refused('hold_expired', booking, 'The hold is over.')
  if (hold_extended) {
    const until = hold_until.toISOString()
    return refused('already_extended', booking, `It was extended to ${until}.`, {
      hold_until: until,
    })
  }
  const until = new Date(hold_until.getTime() + HOLD_MINUTES * 60_000)
  await updateHoldUntil(tx, booking, until, at)
  return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
}

/** Releases a hold; one that is already released or expired stays so. */
export const releaseHold: RunCommand = async (tx, booking, _, context) => {
  const { id, status } = booking
  if (status === 'released' || status === 'expired') {
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  }
  if (status !== 'held') {
    return refused('already_final', booking, `The booking is ${status}: cancel it instead.`)
  }
  const what = 'The booking was released before it was confirmed.'
  const refusal = refusalData('already_final', what, { booking_id: id })
  await updateWaitingAnswers(tx, id, { refusal })
  const move = { to: 'released', reasonCode: 'released', nextActionAt: null } as const
  const { events } = await end(tx, booking, { ...move, ...reasons.agentWants }, context)
  return { answer: { booking: await selectBooking(tx, id) }, events }
}
