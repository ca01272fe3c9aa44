import { timeAt, timeOf } from '../src/base/account-time.ts'
import type { Rounds } from '../src/base/rounds.ts'
import type { BookingStart, Call, Decision } from '../src/bookings/rules/booking-messages.ts'
import { resultOf } from '../src/confirmation/rules/venue-patience.ts'
import { applyVenueResponses } from '../src/confirmation/steps/apply-venue-responses.ts'
import { callVenue, type VenueDeps } from '../src/confirmation/steps/call-venue.ts'
import { mirrorAvailability } from '../src/confirmation/steps/mirror-availability.ts'
import { type GuestMailDeps, mailGuest } from '../src/guests/steps/mail-guest.ts'
import { type OpenDeps, openNotices } from '../src/notices/steps/open-notices.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import { together } from '../src/platform/database/sql.ts'
import { type BookingActivityDeps, onClock } from './bookings.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'
import { whileBeating } from './while-beating.ts'

export type ConfirmationActivities = ReturnType<typeof createConfirmationActivities>
export type VenueActivities = ReturnType<typeof createVenueActivities>

/** The steps that follow from venues' responses. */
export const createConfirmationActivities = ({ db, steps }: BookingActivityDeps) => ({
  async applyVenueResponses(booking: BookingStart, workflowTime: number) {
    const start = await readClock(db, booking)
    const applying = applyVenueResponses(db, start, steps, timeAt(start, workflowTime))
    return onClock(start, applying)
  },
})

export type VenueActivityDeps = VenueDeps & RoundsDeps & GuestMailDeps & DecisionDeps & OpenDeps
type DecisionDeps = Pick<BookingActivityDeps, 'steps'>

/** Messages to venues and guests, sent only by the `venues` queue's worker. */
export function createVenueActivities(deps: VenueActivityDeps) {
  const call = async (booking: BookingStart, signal: AbortSignal): Promise<Call> => {
    const start = await readClock(deps.db, booking)
    const result = await callVenue(deps, start, signal)
    const isDecided = result.asked === 'booking.confirm' && resultOf(result) === 'decided'
    const decision = isDecided && (await applyAtOnce(deps, start))
    return decision ? { ...result, decision } : result
  }
  return {
    callVenue: (start: BookingStart) => whileBeating((signal) => call(start, signal)),
    /** Notifies the venue and the guest of what is due; neither waits for the other. */
    notifyVenue: (start: BookingStart) =>
      whileBeating(async () => {
        const current = await readClock(deps.db, start)
        const at = timeOf(current)
        return together(openNotices(deps, current), mailGuest(deps, current, at))
      }),
    mirrorInRounds: (rounds: Rounds) =>
      inRounds(rounds, deps, (at, signal) => mirrorAvailability(deps, at, signal)),
  }
}

/**
 * Applies the venue's decision; undefined if that failed and the workflow has to do it. Callers
 * need not wait for Temporal to record the call, a quarter of the time such a booking takes.
 */
async function applyAtOnce(
  deps: VenueActivityDeps,
  start: BookingStart,
): Promise<Decision | undefined> {
  const { db, steps, log } = deps
  try {
    return await onClock(start, applyVenueResponses(db, start, steps, timeOf(start)))
  } catch (err) {
    log.warn({ err, booking_id: start.bookingId }, 'the workflow applies what the venue decided')
  }
}
