import type { BookingStart } from '../src/bookings/rules/booking-messages.ts'
import { applyVenueResponses } from '../src/confirmation/steps/apply-venue-responses.ts'
import { callVenue, type VenueDeps } from '../src/confirmation/steps/call-venue.ts'
import { mirrorAvailability } from '../src/confirmation/steps/mirror-availability.ts'
import { notifyVenue } from '../src/confirmation/steps/notify-venue.ts'
import { timeAt, timeOf } from '../src/contract/rules/account-time.ts'
import type { Rounds } from '../src/contract/rules/rounds.ts'
import type { Shard } from '../src/contract/rules/shards.ts'
import { type GuestMailDeps, mailGuest } from '../src/guests/steps/mail-guest.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import { together } from '../src/platform/database/sql.ts'
import { announced, type BookingActivityDeps } from './bookings.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'
import { whileBeating } from './while-beating.ts'

export type ConfirmationActivities = ReturnType<typeof createConfirmationActivities>
export type VenueActivities = ReturnType<typeof createVenueActivities>

/** The steps that follow from venues' responses. */
export const createConfirmationActivities = ({ db, steps, answers }: BookingActivityDeps) => ({
  async applyVenueResponses(given: BookingStart, workflowTime: number) {
    const start = await readClock(db, given)
    const applying = applyVenueResponses(db, start, steps, timeAt(start, workflowTime))
    return announced(answers, start, applying)
  },
})

/** What leaves the network for venues and guests, sent only by the worker of the queue `venues`. */
export const createVenueActivities = (deps: VenueDeps & RoundsDeps & GuestMailDeps) => ({
  callVenue: (start: BookingStart) =>
    whileBeating(async (signal) => callVenue(deps, await readClock(deps.db, start), signal)),
  /** Sends the notices that are due, to the venue and to the guest; neither waits for the other. */
  notifyVenue: (start: BookingStart) =>
    whileBeating(async (signal) => {
      const current = await readClock(deps.db, start)
      const at = timeOf(current)
      return together(notifyVenue(deps, current, signal), mailGuest(deps, current, at))
    }),
  mirrorInRounds: (rounds: Rounds, shard?: Shard) =>
    inRounds(rounds, deps, (at, signal) => mirrorAvailability(deps, at, signal, shard)),
})
