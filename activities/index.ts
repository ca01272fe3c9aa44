import { type AccountActivityDeps, createAccountActivities } from './accounts.ts'
import { type BookingActivityDeps, createBookingActivities, type HistoryDeps } from './bookings.ts'
import { createConfirmationActivities } from './confirmation.ts'
import { createItineraryActivities } from './itineraries.ts'
import { createWaitlistActivities } from './waitlist.ts'
import { createWebhookUpkeepActivities, type WebhookUpkeepDeps } from './webhooks.ts'

export { createVenueActivities } from './confirmation.ts'
export { createGroupActivities } from './itineraries.ts'
export { createWebhookActivities } from './webhooks.ts'

export type ActivityDeps = BookingActivityDeps &
  HistoryDeps &
  WebhookUpkeepDeps &
  AccountActivityDeps

/** The activities of the queue `bookings`. `at` is workflow time, in milliseconds. */
export const createActivities = (deps: ActivityDeps) => ({
  ...createBookingActivities(deps),
  ...createConfirmationActivities(deps),
  ...createItineraryActivities(deps),
  ...createWaitlistActivities(deps),
  ...createWebhookUpkeepActivities(deps),
  ...createAccountActivities(deps),
})
