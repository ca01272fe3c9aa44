import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import { applyVenueResponses } from '../src/confirmation/steps/apply-venue-responses.ts'
import { callVenue, type VenueDeps } from '../src/confirmation/steps/call-venue.ts'
import { mirrorAvailability } from '../src/confirmation/steps/mirror-availability.ts'
import { notifyVenue } from '../src/confirmation/steps/notify-venue.ts'
import type { Rounds } from '../src/contract/rules/rounds.ts'
import { announced, type BookingActivityDeps } from './bookings.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'
import { whileBeating } from './while-beating.ts'

export type ConfirmationActivities = ReturnType<typeof createConfirmationActivities>
export type VenueActivities = ReturnType<typeof createVenueActivities>

/** The steps that follow from venues' responses. */
export const createConfirmationActivities = ({ db, steps, answers }: BookingActivityDeps) => ({
  applyVenueResponses: (start: BookingStart, at: number) =>
    announced(answers, start, applyVenueResponses(db, start, steps, new Date(at))),
})

/** The requests to venues, sent only by the worker of the queue `venues`. */
export const createVenueActivities = (deps: VenueDeps & RoundsDeps) => ({
  callVenue: (start: BookingStart) => whileBeating((signal) => callVenue(deps, start, signal)),
  notifyVenue: (start: BookingStart) => whileBeating((signal) => notifyVenue(deps, start, signal)),
  mirrorInRounds: (rounds: Rounds) =>
    inRounds(rounds, deps, (at, signal) => mirrorAvailability(deps, at, signal)),
})
