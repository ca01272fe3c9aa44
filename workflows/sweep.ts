import {
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow'
import type { BookingActivities } from '../activities/bookings.ts'
import type { ConfirmationActivities } from '../activities/confirmation.ts'
import type { ItineraryActivities } from '../activities/itineraries.ts'
import type { SweepActivities, Swept } from '../activities/sweep.ts'
import type { WebhookUpkeepActivities } from '../activities/webhooks.ts'
import type { Rounds } from '../src/contract/rules/rounds.ts'
import { inRounds } from './rounds.ts'

// A step works for 20 s, so that the last round ends before the run does (src/schedules.ts).
const { sweepOnce } = proxyLocalActivities<SweepActivities>({
  startToCloseTimeout: '40s',
  retry: { maximumAttempts: 1 },
  summary: 'resume and announce what was lost, erase what is due',
})

type Step = BookingActivities['resumeLostBookings']

/** The steps as activities of their own, as the release before ran them. */
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

/**
 * The guarantee behind every booking, every 15 s: a booking that lost its workflow gets it back,
 * and responses, commands and deliveries that were not noticed are announced again. Each step runs
 * by itself; if one failed in the last round, so has the run.
 */
export async function sweep(rounds?: Rounds): Promise<Swept> {
  return rounds ? inRounds(rounds, () => sweepOnce(Date.now()).then(unlessFailed)) : stepByStep()
}

/** Throws if a step failed, with what the others did. */
function unlessFailed(swept: Swept, cause?: Error): Swept {
  const failed = Object.keys(swept).filter((name) => !swept[name])
  if (failed.length === 0) return swept
  const message = `failed: ${failed.join(', ')}`
  const failure = { message, type: 'SweepFailed', details: [swept] }
  throw ApplicationFailure.create({ ...failure, ...(cause && { cause }) })
}

async function stepByStep(): Promise<Swept> {
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
  if (cause && isCancellation(cause)) throw cause
  return unlessFailed(swept, cause)
}
