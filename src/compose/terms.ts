import type { Terms } from '../bookings/hooks.ts'
import type { Config } from '../config/config.ts'

export const termsOf = (config: Config): Terms => ({
  feePct: config.FEE_PCT,
  completionGraceMinutes: config.COMPLETION_GRACE_MINUTES,
  venueAnswerMinutes: config.VENUE_ANSWER_MINUTES,
  requestAnswerMinutes: config.REQUEST_ANSWER_MINUTES,
  offerAnswerMinutes: config.OFFER_ANSWER_MINUTES,
  limits: { live: config.LIVE_BOOKINGS, perVenueDay: config.LIVE_BOOKINGS_PER_VENUE_DAY },
})
