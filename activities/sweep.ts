import type { Pass } from '../src/platform/process/work-through.ts'
import { type Log, loggable } from '../src/platform/telemetry/log.ts'
import type { BookingActivities } from './bookings.ts'
import type { ConfirmationActivities } from './confirmation.ts'
import type { ItineraryActivities } from './itineraries.ts'
import type { WebhookUpkeepActivities } from './webhooks.ts'

export type SweepActivities = ReturnType<typeof createSweepActivities>

/** What each step of the sweep did; null if it failed. */
export type Swept = Record<string, Pass | null>

type Steps = Pick<
  BookingActivities & ConfirmationActivities & ItineraryActivities & WebhookUpkeepActivities,
  | 'resumeLostBookings'
  | 'resumeLostGroups'
  | 'deliverVenueResponses'
  | 'deliverCommands'
  | 'wakeWaitingEndpoints'
  | 'eraseGuestDetails'
  | 'eraseOldKeys'
>

/** A round of the sweep: all steps at once, each by itself. */
export const createSweepActivities = (steps: Steps, log: Log) => ({
  async sweepOnce(at: number): Promise<Swept> {
    const run = async ([step, work]: [string, (at: number) => Promise<Pass>]) => {
      const failed = (error: unknown) => {
        log.warn({ step, error: loggable(error) }, 'a step of the sweep failed')
        return null
      }
      return [step, await work(at).catch(failed)] as const
    }
    return Object.fromEntries(await Promise.all(Object.entries(steps).map(run)))
  },
})
