import { type AccountActivityDeps, createAccountActivities } from './accounts.ts'
import { type BookingActivityDeps, createBookingActivities, type HistoryDeps } from './bookings.ts'
import { createConfirmationActivities } from './confirmation.ts'
import { createItineraryActivities } from './itineraries.ts'
import { createSweepActivities } from './sweep.ts'
import { createWaitlistActivities } from './waitlist.ts'
import { createWebhookUpkeepActivities, type WebhookUpkeepDeps } from './webhooks.ts'

export { createVenueActivities } from './confirmation.ts'
export { createWebhookActivities } from './webhooks.ts'

export type ActivityDeps = BookingActivityDeps &
  HistoryDeps &
  WebhookUpkeepDeps &
  AccountActivityDeps

/** The activities of the queue `bookings`. `at` is workflow time, in milliseconds. */
export function createActivities(deps: ActivityDeps) {
  const bookings = createBookingActivities(deps)
  const venues = createConfirmationActivities(deps)
  const groups = createItineraryActivities(deps)
  const webhooks = createWebhookUpkeepActivities(deps)
  const { resumeLostBookings, deliverCommands, eraseGuestDetails, eraseOldKeys } = bookings
  const steps = {
    resumeLostBookings,
    resumeLostGroups: groups.resumeLostGroups,
    deliverVenueResponses: venues.deliverVenueResponses,
    deliverCommands,
    wakeWaitingEndpoints: webhooks.wakeWaitingEndpoints,
    eraseGuestDetails,
    eraseOldKeys,
  }
  return {
    ...bookings,
    ...venues,
    ...groups,
    ...webhooks,
    ...createWaitlistActivities(deps),
    ...createAccountActivities(deps),
    ...createSweepActivities(steps, deps.log),
  }
}
