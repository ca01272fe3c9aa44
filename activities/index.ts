import type { AdvanceDeps } from '../src/clocks/steps/advance-clock.ts'
import { type AccountActivityDeps, createAccountActivities } from './accounts.ts'
import { type BookingActivityDeps, createBookingActivities, type HistoryDeps } from './bookings.ts'
import { createClockActivities } from './clocks.ts'
import { createConfirmationActivities } from './confirmation.ts'
import { createItineraryActivities } from './itineraries.ts'
import { createSweepActivities, type SweepActivityDeps } from './sweep.ts'
import { createWaitlistActivities } from './waitlist.ts'
import { createWebhookUpkeepActivities, type WebhookUpkeepDeps } from './webhooks.ts'

export { createAccountMailActivities } from './accounts.ts'
export { createCollectActivities } from './collect.ts'
export { createVenueActivities } from './confirmation.ts'
export { createPaymentActivities } from './payments.ts'
export { createWebhookActivities } from './webhooks.ts'

export type ActivityDeps = BookingActivityDeps &
  HistoryDeps &
  SweepActivityDeps &
  WebhookUpkeepDeps &
  AccountActivityDeps &
  AdvanceDeps

/** The activities of the queue `bookings`. `at` is workflow time, in milliseconds. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createBookingActivities(deps),
    ...createConfirmationActivities(deps),
    ...createItineraryActivities(deps),
    ...createWebhookUpkeepActivities(deps),
    ...createWaitlistActivities(deps),
    ...createAccountActivities(deps),
    ...createSweepActivities(deps),
    ...createClockActivities(deps),
  }
}
