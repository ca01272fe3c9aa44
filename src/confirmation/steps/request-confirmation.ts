import { selectServicesOf } from '../../availability/store/venue-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import type { StepContext } from '../../bookings/hooks.ts'
import type { Decision } from '../../bookings/rules/booking-messages.ts'
import { actsAt } from '../../bookings/rules/in-time.ts'
import { venueIsAsked } from '../../bookings/rules/timeline-reasons.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, updateBookingStatus } from '../../bookings/store/bookings.ts'
import { uncountHold } from '../../bookings/store/holds.ts'
import type { Done } from '../../bookings/store/transitions.ts'
import { type Db, together } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import { answerTimes } from '../rules/answer-deadline.ts'
import { setNoticeDue } from '../store/venue-notices.ts'

/** Decides to ask the venue's system. The decision commits before the first byte is sent. */
export function requestVenueConfirmation(tx: Db, hold: LockedBooking, { terms, at }: StepContext) {
  const deadline = at.getTime() + terms.venueAnswerMinutes * MINUTE_MS
  const answerBy = new Date(Math.min(deadline, hold.starts_at.getTime()))
  return ask(tx, hold, { answerBy, nextActionAt: at }, at)
}

/** Until when the venue's people can answer, in opening hours, and when to remind them. */
export async function staffTimes(
  tx: Db,
  { venue_id, service_id, timezone, starts_at: startsAt }: LockedBooking,
  { terms: { requestAnswerMinutes: minutes }, at }: StepContext,
) {
  const from = addDays(dateOf(toLocal(timezone, at)), -1)
  const to = dateOf(toLocal(timezone, startsAt))
  const services = await selectServicesOf(tx, venue_id, { from, to })
  const service = services.find(({ id }) => id === service_id)
  if (!service) throw new Error(`service ${service_id} does not exist`)
  return answerTimes(service, { at, startsAt, minutes })
}

/** Asks the venue's people, who are reminded halfway. */
export async function requestStaffConfirmation(tx: Db, hold: LockedBooking, context: StepContext) {
  const { answerBy, remindAt } = await staffTimes(tx, hold, context)
  await setNoticeDue(tx, hold.id, 'request.waiting')
  return ask(tx, hold, { answerBy, nextActionAt: remindAt }, context.at)
}

async function ask(
  tx: Db,
  hold: LockedBooking,
  times: { answerBy: Date; nextActionAt: Date },
  at: Date,
): Promise<Done<Decision>> {
  const answerBy = earlier(times.answerBy, hold.group_answer_by)
  // The deadline takes effect a little later.
  const nextActionAt = times.nextActionAt < answerBy ? times.nextActionAt : actsAt(answerBy)
  const reason = venueIsAsked(answerBy, hold.timezone)
  const move = { to: 'pending', answerBy, nextActionAt, ...reason } as const
  const [state, booking] = await together(
    updateBookingStatus(tx, hold, move, at),
    selectBooking(tx, hold.id),
  )
  await uncountHold(tx, hold)
  const events: NewEvent[] = [{ type: 'booking.pending', data: { booking } }]
  return { result: { answer: null, state }, events }
}

/** The wait for one part of an itinerary must not outlast the wait for the whole. */
export const earlier = (one: Date, other: Date | null) => (other && other < one ? other : one)
