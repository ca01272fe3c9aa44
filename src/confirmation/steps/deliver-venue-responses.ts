import { announceLate, type SweepDeps } from '../../bookings/steps/sweep.ts'
import { selectUnappliedBookings } from '../store/booking-starts.ts'

/** Announces responses that have not yet been applied. */
export const deliverVenueResponses = (deps: SweepDeps, at: Date) =>
  announceLate(deps, at, {
    step: 'responses',
    select: selectUnappliedBookings,
    announce: deps.engine.venueResponded,
  })
