import { ApplicationFailure } from '@temporalio/activity'
import type { Rounds } from '../src/base/rounds.ts'
import {
  deliverCommands,
  eraseGuestDetails,
  eraseOldKeys,
  resumeLostBookings,
} from '../src/bookings/steps/sweep.ts'
import type { ClockDeps } from '../src/clocks/steps/advance-clock.ts'
import { resumeClocks } from '../src/clocks/steps/resume-clocks.ts'
import { openWork } from '../src/compose/open-work.ts'
import { deliverVenueResponses } from '../src/confirmation/steps/deliver-venue-responses.ts'
import { resumeLostGroups } from '../src/itineraries/steps/resume-lost-groups.ts'
import type { passes } from '../src/platform/database/passes.ts'
import type { Pass } from '../src/platform/process/work-through.ts'
import { loggable } from '../src/platform/telemetry/log.ts'
import { replaceBroken } from '../src/platform/temporal/open-work.ts'
import { deliverReplies, eraseOldCalls } from '../src/sandbox/steps/deliver-replies.ts'
import { wakeWaitingEndpoints } from '../src/webhooks/sender/upkeep.ts'
import type { Facilitator } from '../src/x402/rules/facilitator.ts'
import { sendRefunds } from '../src/x402/steps/send-refunds.ts'
import type { BookingActivityDeps } from './bookings.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'

export type SweepActivities = ReturnType<typeof createSweepActivities>
export type SweepActivityDeps = BookingActivityDeps &
  RoundsDeps &
  ClockDeps & { facilitator?: Facilitator | undefined }

type Step = (at: Date) => Promise<Pass>

/** What each step of the sweep did; null if it failed. */
export type Swept = Record<string, Pass | null>

/** The steps of the sweep, by their passes. */
export const sweepSteps = (
  deps: SweepActivityDeps,
): Record<(typeof passes.sweep)[number], Step> => ({
  'broken-runs': (at) => replaceBroken(openWork, deps, at),
  bookings: (at) => resumeLostBookings(deps, at),
  groups: (at) => resumeLostGroups(deps, at),
  'test-clocks': (at) => resumeClocks(deps, at),
  responses: (at) => deliverVenueResponses(deps, at),
  commands: (at) => deliverCommands(deps, at),
  endpoints: (at) => wakeWaitingEndpoints(deps, at),
  'x402-refunds': (at) => sendRefunds(deps, at),
  'guest-details': (at) => eraseGuestDetails(deps, at),
  'old-keys': (at) => eraseOldKeys(deps, at),
  replies: (at) => deliverReplies(deps, at),
  'old-test-calls': (at) => eraseOldCalls(deps, at),
})

/** The sweep: all steps at once, each by itself. */
export function createSweepActivities(deps: SweepActivityDeps) {
  const { log } = deps
  const steps = sweepSteps(deps)

  async function sweepOnce(at: Date): Promise<Swept> {
    const run = async ([step, work]: [string, Step]) => {
      try {
        return [step, await work(at)] as const
      } catch (error) {
        log.warn({ step, error: loggable(error) }, 'a step of the sweep failed')
        return [step, null] as const
      }
    }
    return unlessFailed(Object.fromEntries(await Promise.all(Object.entries(steps).map(run))))
  }

  return { sweepInRounds: (rounds: Rounds) => inRounds(rounds, deps, sweepOnce) }
}

/** Throws if a step failed, with what the others did. */
function unlessFailed(swept: Swept): Swept {
  const failed = Object.keys(swept).filter((name) => !swept[name])
  if (failed.length === 0) return swept
  const message = `failed: ${failed.join(', ')}`
  throw ApplicationFailure.create({ message, type: 'SweepFailed', details: [swept] })
}
