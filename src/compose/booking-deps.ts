import { joinHooks, type StepDeps, type Terms } from '../bookings/hooks.ts'
import type { Config } from '../config/config.ts'
import { confirmationHooks, venueConfirmation } from '../confirmation/hooks.ts'
import type { Engine } from '../contract/operation.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { waitlistHooks } from '../waitlist/hooks.ts'
import { paymentHooks } from '../x402/hooks.ts'

/** The rooms that take part in the steps of bookings. */
export const bookingDeps = (terms: Terms, engine: Engine, log: Log): StepDeps => ({
  terms,
  venue: venueConfirmation,
  hooks: joinHooks([confirmationHooks, waitlistHooks(engine, log, terms.limits), paymentHooks]),
})

/** For steps that are rolled back: no other room is told. */
export const dryRunDeps = (terms: Terms): StepDeps => ({
  terms,
  venue: venueConfirmation,
  hooks: joinHooks([]),
})

export const termsOf = (config: Config): Terms => ({
  feePct: config.FEE_PCT,
  completionGraceMinutes: config.COMPLETION_GRACE_MINUTES,
  venueAnswerMinutes: config.VENUE_ANSWER_MINUTES,
  requestAnswerMinutes: config.REQUEST_ANSWER_MINUTES,
  offerAnswerMinutes: config.OFFER_ANSWER_MINUTES,
  limits: { live: config.LIVE_BOOKINGS, perVenueDay: config.LIVE_BOOKINGS_PER_VENUE_DAY },
})
