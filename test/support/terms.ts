import type { Terms } from '../../src/bookings/steps/confirm-booking.ts'

/** The terms of bookings where a test does not care. */
export const terms: Terms = {
  feePct: 2.5,
  completionGraceMinutes: 15,
  venueAnswerMinutes: 15,
  requestAnswerMinutes: 15,
  offerAnswerMinutes: 30,
}
