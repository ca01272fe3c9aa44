import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { BookingActivities } from '../activities/bookings.ts'
import type { ConfirmationActivities } from '../activities/confirmation.ts'
import type { ItineraryActivities } from '../activities/itineraries.ts'
import type { WebhookUpkeepActivities } from '../activities/webhooks.ts'

type Step = BookingActivities['resumeLostBookings']
type Pass = Awaited<ReturnType<Step>>

// A step works for 20 s, so that two tries end before the run does (src/schedules.ts).
const options = {
  startToCloseTimeout: '40s',
  heartbeatTimeout: '15s',
  scheduleToCloseTimeout: '100s',
  retry: { maximumAttempts: 2 },
} as const
const bookings = proxyActivities<BookingActivities>(options)
const venues = proxyActivities<ConfirmationActivities>(options)
const groups = proxyActivities<ItineraryActivities>(options)
const webhooks = proxyActivities<WebhookUpkeepActivities>(options)

const steps: Record<string, Step> = {
  bookings: bookings.resumeLostBookings,
  groups: groups.resumeLostGroups,
  responses: venues.deliverVenueResponses,
  commands: bookings.deliverCommands,
  endpoints: webhooks.wakeWaitingEndpoints,
  guests: bookings.eraseGuestDetails,
  keys: bookings.eraseOldKeys,
}

/** What each step did; null if it failed. */
type Swept = Record<string, Pass | null>

/**
 * The guarantee behind every booking, every 15 s by a schedule: a booking that lost its workflow
 * gets it back, and responses, commands and deliveries that were not noticed are announced again.
 * Each step runs by itself; if one failed, the run fails when all have ended.
 */
export async function sweep(): Promise<Swept> {
  const swept: Swept = {}
  const failures: Error[] = []
  const run = async ([name, step]: [string, Step]) => {
    swept[name] = null
    swept[name] = await step(Date.now()).catch((error: Error) => {
      failures.push(error)
      return null
    })
  }
  await Promise.all(Object.entries(steps).map(run))
  const [cause] = failures
  if (!cause) return swept
  if (isCancellation(cause)) throw cause
  const names = Object.keys(swept).filter((name) => !swept[name])
  const message = `failed: ${names.join(', ')}`
  throw ApplicationFailure.create({ message, type: 'SweepFailed', details: [swept], cause })
}
