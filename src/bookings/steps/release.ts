import { refusalData } from '../../contract/rules/errors.ts'
import type { RunCommand } from '../hooks.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { updateWaitingAnswers } from '../store/requests.ts'
import { end } from './end-booking.ts'
import { refused } from './refused.ts'

/** Releases a hold; one that is released or expired already stays so. */
export const release: RunCommand = async (tx, booking, _, { at, ...deps }) => {
  const { status } = booking
  const isFree = status === 'released' || status === 'expired'
  if (isFree) return { answer: { booking: await selectBooking(tx, booking.id) }, events: [] }
  if (status !== 'held') {
    return refused('already_final', booking, `The booking is ${status}: cancel it instead.`)
  }
  await updateWaitingAnswers(tx, booking.id, { refusal: wasReleased(booking.id) })
  const reason = reasons.agentWants
  const move = {
    to: 'released',
    reasonCode: 'released',
    nextActionAt: null,
    ...reason,
    at,
  } as const
  const { events } = await end(tx, booking, move, deps)
  return { answer: { booking: await selectBooking(tx, booking.id) }, events }
}

/** The answer to a request for a booking whose hold is released before the confirmation. */
const wasReleased = (id: string) =>
  refusalData('already_final', 'The booking was released before it was confirmed.', {
    booking_id: id,
  })
